import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Fault, FaultError } from './fault.ts'
import { readFault, writeFault } from './read-fault.ts'

describe('a fault as text', () => {
  test.each<[string, Fault]>([
    ['latency:200ms', { type: 'latency', delayMs: 200 }],
    ['latency:50ms-0.4s', { type: 'latency', delayMs: [50, 400] }],
    ['latency:median=120ms,p99=900ms', { type: 'latency', medianMs: 120, p99Ms: 900 }],
    ['status:503,rate=0.2,burst=3', { type: 'status', status: 503, rate: 0.2, burst: 3 }],
    ['status:503,retry-after=2s,rate=20%', { type: 'status', status: 503, retryAfterMs: 2000, rate: 0.2 }],
    ['reset,on=v_timeseries_data,times=1', { type: 'reset', on: 'v_timeseries_data', times: 1 }],
    ['reset:1000, every=3', { type: 'reset', afterBytes: 1000, every: 3 }],
    ['reset,on=/a{1,2}b, c\\/d/i,times=2', { type: 'reset', on: '/a{1,2}b, c\\/d/i', times: 2 }],
    ['truncate:16KiB,framing=chunked', { type: 'truncate', bytes: 16_384, framing: 'chunked' }],
    ['drip:1KB/s,route=/schemas/*', { type: 'drip', bytesPerSecond: 1000, route: '/schemas/*' }],
    ['expire:after=20', { type: 'expire', after: 20 }],
    ['expire:lifetime=10m', { type: 'expire', lifetimeMs: 600_000 }],
    ['expire:at=2026-01-01T00:00:00Z', { type: 'expire', at: '2026-01-01T00:00:00Z' }],
    ['limit:10/s', { type: 'limit', requests: 10, windowMs: 1000 }],
    ['limit:100/5min,on=*', { type: 'limit', requests: 100, windowMs: 300_000, on: '*' }],
    ['timeout', { type: 'timeout' }],
    ['timeout:after=limit,skip=2', { type: 'timeout', after: 'limit', skip: 2 }],
  ])('%s', (text, fault) => {
    expect(readFault(text)).toEqual(fault)
    expect(readFault(fault)).toEqual(fault)
    expect(readFault(writeFault(fault))).toEqual(fault)
  })

  const ms = fc.integer({ min: 0, max: 1e7 })
  const count = fc.integer({ min: 1, max: 1000 })
  const timing = fc.oneof(
    fc.record({ rate: fc.integer({ min: 1, max: 1000 }).map((n) => n / 1000), burst: count }),
    fc.record({ every: count, skip: count, times: count }),
  )
  const place = fc.constantFrom({}, { on: '*' }, { on: 'v_formulas' }, { on: '/a,b=c/i' }, { route: '/x/*' })
  const faults = fc.oneof(
    ms.map((delayMs) => ({ type: 'latency', delayMs })),
    fc.tuple(ms, ms).map(([a, b]) => ({ type: 'latency', delayMs: [Math.min(a, b), Math.max(a, b)] })),
    fc
      .record({ status: fc.integer({ min: 400, max: 599 }), retryAfterMs: ms })
      .map((rest) => ({ type: 'status', ...rest })),
    ms.map((bytes) => ({ type: 'truncate', bytes })),
    count.map((bytesPerSecond) => ({ type: 'drip', bytesPerSecond })),
    ms.map((afterBytes) => ({ type: 'reset', afterBytes })),
  )

  test('is the same fault again when it was written', () => {
    fc.assert(
      fc.property(faults, place, timing, (fault, place, timing) => {
        const whole = { ...fault, ...place, ...timing } as Fault
        expect(readFault(writeFault(whole))).toEqual(whole)
        expect(readFault(whole)).toEqual(whole)
      }),
    )
  })
})

test.each([
  'latency:median=120ms,p99=900ms',
  'expire:after=20',
  'timeout:after=limit,on=*',
  'timeout',
  'reset,on=v_timeseries_data,times=1',
  'status:503,rate=0.2',
  'limit:10/s',
  'limit:100/min',
])('%s is written as it is in the documents', (spec) => {
  expect(writeFault(readFault(spec))).toBe(spec)
})

test('a regular expression may be one of JavaScript', () => {
  expect(readFault({ type: 'reset', on: /join/gi })).toEqual({ type: 'reset', on: '/join/i' })
})

test.each<[unknown, RegExp]>([
  [
    '',
    /There is no fault "". The faults are: latency, reset, limit, status, expire, timeout, truncate, drip\./,
  ],
  ['lag:200ms', /There is no fault "lag"/],
  ['latency', /says not how late. Write latency:200ms/],
  ['latency:200', /"latency:200" has "200". Write a time or a range, such as 200ms/],
  ['latency:400ms-50ms', /Write a time or a range/],
  ['latency:median=2s,p99=1s', /above the p99/],
  ['latency:1ms,median=2s,p99=3s', /says not how late/],
  ['status', /Write for instance status:503/],
  ['status:200', /Write a whole number from 400 to 599/],
  [
    'status:503,rat=0.2',
    /has "rat", which status does not take. It takes: a value behind the colon, retry-after=, on=/,
  ],
  ['status:503,rate=2', /has "rate=2". Write a probability/],
  ['status:503,rate=0.2,rate=0.3', /has rate twice/],
  ['status:503,rate=0.2,every=3', /Leave one of them out/],
  ['status:503,502', /has its value twice/],
  ['reset,on=v_timeserie', /Write \*, a regular expression .* views: v_bioprocesses, /],
  ['reset,on=/(/', /Write \*, a regular expression/],
  ['reset,on=*,route=/x', /Leave one of them out/],
  ['reset,route=x', /Write a path/],
  ['reset,times=0', /Write a whole number from 1\./],
  ['truncate', /Write for instance truncate:1000/],
  ['truncate:-1', /Write bytes from 0/],
  ['truncate:1000,framing=none', /Write one of: content-length, chunked, complete/],
  ['drip:1KB', /Write bytes a second, such as 100\/s/],
  ['expire', /has to say once when/],
  ['expire:after=1,lifetime=1m', /has to say once when/],
  ['expire:at=tomorrow', /Write a time with its zone/],
  ['expire:after=1,on=*', /which expire does not take/],
  ['limit:10', /Write requests in a window, such as 10\/s/],
  ['limit:0/s', /Write requests in a window/],
  ['timeout:after=30s', /Write limit\./],
  ['timeout,route=/x', /which timeout does not take/],
  [503, /503 is no fault. Write it as "status:503,rate=0.2" or/],
  [null, /is no fault/],
  [{}, /There is no fault without a type/],
  [{ type: 'toString' }, /There is no fault "toString"/],
  [{ type: 'status', status: '503' }, /has the status "503". As text, write a whole number/],
  [
    { type: 'status', status: 503, burts: 2 },
    /has "burts", which status does not take. It takes: status, retryAfterMs/,
  ],
  [{ type: 'limit', requests: 3 }, /has the requests 3. As text, write requests in a window/],
  [{ type: 'reset', on: ['v_formulas'] }, /has the on/],
])('%j is refused with a sentence', (given, sentence) => {
  expect(() => readFault(given)).toThrow(FaultError)
  expect(() => readFault(given)).toThrow(sentence)
})
