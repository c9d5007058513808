import { expect, test } from 'vitest'
import { rateMode } from '../../open-points/rate/mode.ts'
import type { Settings } from '../../../schemas/open-points.ts'
import { Refusal } from '../answer/refusal.ts'
import { createRateLimiter, limitRate } from './limiter.ts'

function limited(now: { ms: number }) {
  const limiter = createRateLimiter()
  return (token: string, variant: Settings['rate.mode'] = '429-retry-after') => {
    try {
      return limitRate(limiter, now.ms, token, rateMode({ 'rate.mode': variant })!)
    } catch (error) {
      return error as Refusal
    }
  }
}

test('refuses requests for a second after 50 requests, however slow they are', () => {
  const now = { ms: 0 }
  const ask = limited(now)
  for (let n = 0; n < 50; n++, now.ms += 3000) expect(ask('a')).toEqual({})
  expect(ask('a')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  expect(ask('b')).toEqual({})
  now.ms += 999
  expect(ask('a')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  now.ms += 1
  for (let n = 0; n < 50; n++) expect(ask('a')).toEqual({})
  expect(ask('a')).toBeInstanceOf(Refusal)
})

test('counts again from zero after a minute without a request', () => {
  const now = { ms: 0 }
  const ask = limited(now)
  for (let n = 0; n < 50; n++) ask('a')
  now.ms += 60_000
  expect(ask('a')).toEqual({})
})

test.each([
  ['429-ratelimit', 429, { 'ratelimit-policy': '"statements";q=50;w=1', ratelimit: '"statements";r=49;t=1' }],
  [
    '429-x-ratelimit',
    429,
    { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '49', 'x-ratelimit-reset': '1' },
  ],
  ['503', 503, {}],
  ['403', 403, {}],
] as const)('announces the limit as rate.mode=%s says', (mode, status, headers) => {
  const ask = limited({ ms: 0 })
  expect(ask('a', mode)).toEqual(headers)
  for (let n = 0; n < 49; n++) ask('a', mode)
  expect(ask('a', mode)).toMatchObject({ status, headers: { 'retry-after': '1' } })
})
