import { expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import { RateLimit } from './rate-limit.ts'

function limited(now: { ms: number }) {
  const rates = new RateLimit(() => now.ms)
  return (token: string, mode: Parameters<RateLimit['count']>[1] = '429-retry-after') => {
    try {
      return rates.count(token, mode)
    } catch (error) {
      return error as Refusal
    }
  }
}

test('a burst meets the limit however slow it is, and a pause of a second ends it', () => {
  const now = { ms: 0 }
  const ask = limited(now)
  for (let n = 0; n < 50; n++, now.ms += 900) expect(ask('a')).toEqual({})
  now.ms -= 900
  expect(ask('a')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  expect(ask('b')).toEqual({})
  now.ms += 999
  expect(ask('a')).toBeInstanceOf(Refusal)
  now.ms += 1
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
] as const)('%s tells', (mode, status, headers) => {
  const ask = limited({ ms: 0 })
  expect(ask('a', mode)).toEqual(headers)
  for (let n = 0; n < 49; n++) ask('a', mode)
  expect(ask('a', mode)).toMatchObject({ status, headers: { 'retry-after': '1' } })
})
