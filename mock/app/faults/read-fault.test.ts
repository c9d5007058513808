import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Fault, FaultError } from './fault.ts'
import { readFault } from './read-fault.ts'
import { writeFault } from './text.ts'

describe('a fault as text', () => {
  test.each<[string, Fault]>([
    ['latency:200ms', { type: 'latency', delayMs: 200 }],
    ['latency:50ms-0.4s', { type: 'latency', delayMs: [50, 400] }],
    ['latency:median=120ms,p99=900ms', { type: 'latency', medianMs: 120, p99Ms: 900 }],
    ['status:503,rate=0.2,burst=3', { type: 'status', status: 503, rate: 0.2, burst: 3 }],
    ['status:503,retry-after=2s,rate=20%', { type: 'status', status: 503, retryAfterMs: 2000, rate: 0.2 }],
    ['reset,on=v_timeseries_data,times=1', { type: 'reset', on: 'v_timeseries_data', times: 1 }],
    ['reset:1000, every=3', { type: 'reset', afterBytes: 1000, every: 3 }],
    ['reset,on= left  join,times=2', { type: 'reset', on: 'left  join', times: 2 }],
    ['truncate:16KiB,framing=chunked', { type: 'truncate', bytes: 16_384, framing: 'chunked' }],
    ['drip:1KB/s,route=/schemas/*', { type: 'drip', bytesPerSecond: 1000, route: '/schemas/*' }],
    ['expire:after=20', { type: 'expire', after: 20 }],
    ['expire:lifetime=10m', { type: 'expire', lifetimeMs: 600_000 }],
    ['expire:at=2026-01-01T00:00:00Z', { type: 'expire', at: '2026-01-01T00:00:00Z' }],
    ['limit:10/s', { type: 'limit', requests: 10, windowMs: 1000 }],
    ['limit:100/5min,on=*', { type: 'limit', requests: 100, windowMs: 300_000, on: '*' }],
    ['timeout', { type: 'timeout' }],
    ['timeout:after=limit,skip=2', { type: 'timeout', after: 'limit', skip: 2 }],
  ])('%s is read, written and read again', (text, fault) => {
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
  const place = fc.constantFrom(
    {},
    { on: '*' },
    { on: 'v_formulas' },
    { on: "name = 'pH'" },
    { route: '/x/*' },
  )
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

  test('is the same fault after it was written and read', () => {
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
])('%s is written as in the documentation', (spec) => {
  expect(writeFault(readFault(spec))).toBe(spec)
})

test.each<[unknown, string]>([
  [
    '',
    'There is no fault "". The faults are: latency, reset, limit, status, expire, timeout, truncate, drip.',
  ],
  ['lag:200ms', 'There is no fault "lag".'],
  [
    'latency',
    'The fault "latency" is incomplete. Write latency:200ms, latency:50ms-400ms or latency:median=120ms,p99=900ms.',
  ],
  ['latency:200', 'has "200". Write latency:200ms or latency:50ms-400ms: the delay, or'],
  ['latency:400ms-50ms', 'has "400ms-50ms". Write latency:200ms or latency:50ms-400ms'],
  ['latency:1ms-2ms-3ms', 'has "1ms-2ms-3ms". Write latency:200ms'],
  [
    'latency:median=2s,p99=1s',
    'has "p99=1s". Write latency:median=120ms,p99=900ms: the delay that 1 in 100 requests exceeds, at least',
  ],
  ['latency:median=0,p99=1s', 'has "median=0". Write latency:median=120ms,p99=900ms: the median'],
  ['latency:median=1s', 'is incomplete. Write latency:200ms'],
  [
    'latency:1ms,median=2s,p99=3s',
    'contradicts itself. Write latency:200ms, latency:50ms-400ms or latency:median',
  ],
  ['status', 'The fault "status" is incomplete. Write status:503 or status:503,retry-after=2s.'],
  ['status:200', 'has "200". Write status:503: the HTTP status, a whole number from 400 to 599.'],
  [
    'status:503,rat=0.2',
    'has "rat=0.2", which status does not take. It takes: a value after the colon, retry-after=, on=, route=, rate=',
  ],
  ['status:503,retryAfterMs=2s', 'has "retryAfterMs=2s", which status does not take.'],
  ['status:503,rate=2', 'has "rate=2". Write status:503,rate=0.2: a probability above 0 and at most 1'],
  ['status:503,rate=x%', 'has "rate=x%". Write status:503,rate=0.2'],
  ['status:503,rate=0.2,rate=0.3', 'has rate twice. Write it once.'],
  ['status:503,rate=0.2,every=3', 'has both rate and every. Leave one of them out.'],
  ['status:503,502', 'has its value twice'],
  ['reset,on=v_timeserie', 'There is no view v_timeserie. The views are: v_bioprocesses, '],
  [
    'reset,on=/join/i',
    'A regular expression is not possible here. Write words of the statement, such as left join',
  ],
  ['reset,on=*,route=/x', 'has both on and route. Leave one of them out.'],
  ['reset,route=x', 'has "route=x". Write reset,route=/openapi.json or reset,route=/schemas/*'],
  ['reset,times=0', 'Write reset,times=1: at most this often, a whole number from 1.'],
  ['reset,times=2s', 'has "times=2s". Write reset,times=1'],
  ['truncate', 'is incomplete. Write truncate:1KB or truncate:1KB,framing=complete.'],
  ['truncate:-1', 'has "-1". Write truncate:1KB'],
  [
    'truncate:1000,framing=none',
    'Write truncate:1KB,framing=content-length, truncate:1KB,framing=chunked or',
  ],
  ['drip:1KB', 'has "1KB". Write drip:100/s or drip:1KB/s: whole bytes per second'],
  ['expire', 'is incomplete. Write expire:after=20, expire:lifetime=10m or expire:at=2026-01-01T00:00:00Z.'],
  ['expire:after=1,lifetime=1m', 'contradicts itself. Write expire:after=20, expire:lifetime=10m or'],
  [
    'expire:at=tomorrow',
    'has "at=tomorrow". Write expire:at=2026-01-01T00:00:00Z: when all tokens expire, in ISO 8601 with a zone.',
  ],
  ['expire:after=1,on=*', 'has "on=*", which expire does not take'],
  ['expire:20,after=1', 'has "20", which expire does not take. It takes: after=, lifetime=, at=.'],
  ['limit:10', 'has "10". Write limit:10/s: the length of the window'],
  ['limit:0/s', 'has "0/s". Write limit:10/s: the requests that pass'],
  ['timeout:after=30s', 'has "after=30s". Write timeout:after=limit'],
  ['timeout,route=/x', 'has "route=/x", which timeout does not take'],
  [503, '503 is not a fault. Write it as "status:503,rate=0.2" or as {'],
  [null, 'null is not a fault.'],
  [{}, 'There is no fault without a type. The faults are: '],
  [{ type: 'toString' }, 'There is no fault "toString".'],
  [
    { type: 'status', status: '503' },
    'has "status": "503". Write {"type":"status","status":503}: the HTTP status',
  ],
  [
    { type: 'status', status: 503, burts: 2 },
    'has "burts": 2, which status does not take. It takes: status, retryAfterMs, on, route',
  ],
  [{ type: 'limit', requests: 3 }, 'is incomplete. Write {"type":"limit","requests":10,"windowMs":1000} or'],
  [
    { type: 'reset', on: ['v_formulas'] },
    'has "on": ["v_formulas"]. Write {"type":"reset","on":"v_timeseries_data"}, ',
  ],
  [
    { type: 'latency', delayMs: [1, 2, 3] },
    'has "delayMs": [1,2,3]. Write {"type":"latency","delayMs":200} or {"type":"latency","delayMs":[50,400]}',
  ],
])('rejects %j and names the remedy', (given, sentence) => {
  expect(() => readFault(given)).toThrow(FaultError)
  expect(() => readFault(given)).toThrow(sentence)
})

test.each(['', ' v_formulas', 'a, b'])('refuses on=%j, which has no form in text', (on) => {
  expect(() => readFault({ type: 'reset', on })).toThrow('no comma')
})

test.each(['left join', 'select * from v_formulas', "name = 'pH'", 'V_FORMULAS'])('accepts on=%s', (on) => {
  expect(readFault({ type: 'reset', on })).toEqual({ type: 'reset', on })
})
