import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { handmade, refuse, rowsReply } from '../connection/handmade.test-helper.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import {
  checkCutShort,
  checkEarliness,
  checkEnd,
  checkLater,
  checkRecovery,
  checkSecond,
  timeChecks,
} from './time.ts'

const limit = 30_000
const body = { success: '{"data":[],"status":{"state":"success","message":""}}', other: '<h1>no</h1>' }

const answered = (status: number, durationMs: number, text = body.other): Exchange => ({
  request: { method: 'POST', url: 'http://localhost/', headers: {}, body: '' },
  response: { status, headers: new Headers(), text, bytes: text.length, memory: 0 },
  durationMs,
})
const silent = (durationMs: number): Exchange => {
  const { response: _, ...rest } = answered(0, durationMs)
  return { ...rest, failure: 'the connection was closed.' }
}
const served = answered(200, 20, body.success)

describe('the end of a long statement', () => {
  test.each([
    ['a 504 at the limit', answered(504, 30_010), 'pass'],
    ['a 504 shortly before the limit', answered(504, 29_600), 'pass'],
    ['a 504 long before the limit', answered(504, 10_000), 'pass'],
    ['a 504 within the margin', answered(504, 34_900), 'pass'],
    ['a late 504', answered(504, 35_100), 'fail'],
    ['a 500 at the limit', answered(500, 30_000), 'fail'],
    ['a 500 before the limit', answered(500, 10_000), 'fail'],
    ['a success after its sleep', answered(200, 45_000, body.success), 'fail'],
    ['a success at the limit', answered(200, 30_100, body.success), 'fail'],
    ['a success before the limit', answered(200, 29_000, body.success), 'not-exercised'],
    ['a refusal at once', answered(400, 50), 'not-exercised'],
    ['a broken connection at the limit', silent(30_000), 'fail'],
    ['a broken connection before the limit', silent(10_000), 'fail'],
    ['no reply', silent(50_000), 'fail'],
  ])('checkEnd for %s returns the expected outcome', (_, long, outcome) => {
    expect(checkEnd({ long, after: served }, limit).outcome).toBe(outcome)
  })

  test.each([
    ['ends with 504 at the limit', answered(504, 30_010), 'pass'],
    ['waited in a queue', answered(504, 60_000), 'pass'],
    ['is served after its sleep', answered(200, 45_000, body.success), 'fail'],
    ['is interrupted at the limit without an error', answered(200, 31_000, body.success), 'pass'],
    ['is ended with the first', answered(500, 29_000), 'pass'],
    ['gets no reply', silent(50_000), 'pass'],
    ['is not sent', undefined, 'pass'],
  ])('checkSecond for a statement that %s returns the expected outcome', (_, second, outcome) => {
    expect(checkSecond(answered(504, 30_000), second, limit).outcome).toBe(outcome)
  })

  test('checkSecond needs a 504', () => {
    expect(checkSecond(answered(500, 30_000), undefined, limit).outcome).toBe('observed')
  })

  test.each([
    ['served', served, 20, 'pass'],
    ['served late', served, 8000, 'fail'],
    ['refused with 503', answered(503, 20), 20, 'fail'],
    ['refused with 429', answered(429, 20), 20, 'inconclusive'],
    ['without a reply', silent(5000), 5000, 'fail'],
  ])(
    'a small statement after the 504 that is %s concerns only checkRecovery',
    (_, after, recoveryMs, outcome) => {
      const overrun = { long: answered(504, 30_000), after, recoveryMs }
      expect(checkEnd(overrun, limit).outcome).toBe('pass')
      expect(checkRecovery(overrun).outcome).toBe(outcome)
    },
  )

  test('checkRecovery needs a 504', () => {
    expect(checkRecovery({ long: answered(500, 30_000), after: served, recoveryMs: 20 }).outcome).toBe(
      'not-exercised',
    )
  })

  test.each([
    ['a 504 at 25 s', answered(504, 25_000), undefined, 'pass'],
    ['a 504 at 24 s, twice', answered(504, 24_000), answered(504, 24_000), 'fail'],
    ['a 504 at 24 s, once', answered(504, 24_000), answered(504, 30_000), 'inconclusive'],
    ['a 504 of a statement that did not run', answered(504, 20), undefined, 'not-exercised'],
    ['no 504', answered(500, 24_000), undefined, 'not-exercised'],
  ])('checkCutShort for %s returns the expected outcome', (_, long, again, outcome) => {
    expect(checkCutShort(long, limit, again).outcome).toBe(outcome)
  })

  const refused = answered(
    200,
    20,
    '{"data":[],"status":{"state":"error","message":"transaction is aborted"}}',
  )
  const starting = answered(200, 20, '{"data":[],"status":{"state":"error","message":"it is starting up"}}')
  test.each([
    ['served at once', [], 'pass'],
    ['refused three times', [refused, refused, refused], 'fail'],
    ['refused twice', [refused, refused, served], 'observed'],
    ['busy', [refused, refused, starting], 'observed'],
    ['without a reply', [silent(5), silent(5), silent(5)], 'observed'],
  ])(
    'checkLater for a statement after the 504 that is %s returns the expected outcome',
    (_, later, outcome) => {
      expect(checkLater(answered(504, 30_000), later).outcome).toBe(outcome)
    },
  )

  test('checkEnd is inconclusive if the target stops answering before the limit', () => {
    expect(checkEnd({ long: silent(3), after: silent(3) }, limit).outcome).toBe('inconclusive')
  })

  test.each([
    ['after another time', 3_700, 'inconclusive'],
    ['after the same time', 9_900, 'fail'],
  ])('checkEnd for a statement that is cut off twice, %s, returns the expected outcome', (_, ms, outcome) => {
    const cut = { long: answered(502, 10_000), earlier: answered(502, ms), after: served }
    expect(checkEnd(cut, limit).outcome).toBe(outcome)
  })

  test('checkEnd is inconclusive if the slow statement and the small one both fail at once', () => {
    const dead = answered(502, 3)
    expect(checkEnd({ long: dead, after: dead }, limit)).toMatchObject({
      outcome: 'inconclusive',
      message:
        'the slow statement ended with HTTP 502 after 0.0 s, and the small statement after it was not served',
    })
  })

  test.each([
    ['during', true, 'was served during and after the 504'],
    ['only after', false, 'was served after the 504, but not during it'],
  ])('checkRecovery only notes that a small statement was served %s the slow one', (_, first, words) => {
    const long = answered(504, 30_000)
    const finding = checkRecovery({ long, meanwhile: { ...served, first }, after: served, recoveryMs: 20 })
    expect(finding.outcome).toBe('pass')
    expect(finding.message).toContain(words)
  })

  test.each([
    ['served', answered(200, 45_000, body.success), 'was served'],
    ['ended with another status', answered(500, 30_000), 'not ended with HTTP 504'],
    ['ended late', answered(504, 36_000), 'came too late'],
    ['cut off', silent(30_000), 'got no reply: the connection was closed'],
  ])('the message of checkEnd distinguishes a statement that is %s', (_, long, words) => {
    expect(checkEnd({ long, after: served }, limit).message).toContain(words)
  })

  test.each([
    ['at the limit', answered(504, 30_000), 'pass'],
    ['half a second early', answered(504, 29_500), 'pass'],
    ['a second early', answered(504, 29_000), 'fail'],
    ['not at all', answered(500, 29_000), 'not-exercised'],
    ['not at all after a closed connection', silent(29_000), 'not-exercised'],
  ])('checkEarliness for a 504 that comes %s returns the expected outcome', (_, long, outcome) => {
    expect(checkEarliness({ long, after: served }, limit).outcome).toBe(outcome)
  })
})

/** A target that ends a statement with 504 when the limit of 2 s is over, and others when their sleep is. */
const punctual = () =>
  handmade({
    timeLimitMs: 2000,
    answer: ({ sql }) => {
      const ms = Number(/pg_sleep\((.+)\)/.exec(sql)?.[1] ?? 0) * 1000
      return new Promise<Response>((resolve) => {
        const [after, response] = ms > 2000 ? [2000, new Response('', { status: 504 })] : [ms, rowsReply([])]
        setTimeout(() => resolve(response), after)
      }) as unknown as Response
    },
  })

describe('by a simulated clock, so that no load of the machine counts', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test.each(timeChecks.map(({ id, run }) => [id, run] as const))('%s passes', async (_, run) => {
    const finding = run(punctual())
    await vi.runAllTimersAsync()
    expect(await finding).toMatchObject({ outcome: 'pass' })
  })
})

/** Runs both checks against a service that ends statements with 504 at 500 ms: the long one only, or all that run. */
async function beside(endsAll: boolean) {
  const ends = new Set<(response: Response) => void>()
  const sleeping = (ms: number) =>
    new Promise<Response>((resolve) => {
      const end = (response: Response) => {
        ends.delete(end)
        resolve(response)
      }
      ends.add(end)
      if (ms <= 500) setTimeout(end, ms, rowsReply([]))
      else
        setTimeout(() => {
          for (const each of endsAll ? ends : [end]) each(new Response('', { status: 504 }))
        }, 500)
    })
  const target = handmade({
    timeLimitMs: 500,
    answer: ({ sql }) => {
      const [, s] = /pg_sleep\((.+)\)/.exec(sql) ?? []
      return s === undefined ? rowsReply([]) : (sleeping(Number(s) * 1000) as unknown as Response)
    },
  })
  const run = (id: string) => timeChecks.find((check) => check.id === id)!.run(target)
  const long = run('time.limit')
  await new Promise((resolve) => setTimeout(resolve, 50))
  const below = await run('time.below-limit')
  return [(await long).outcome, below.outcome]
}

test.each([
  ['once', 1, 'pass'],
  ['twice', 2, 'fail'],
])('time.limit for a connection that breaks %s long before the limit: %s', async (_, breaks, outcome) => {
  let broken = 0
  const target = handmade({
    timeLimitMs: 500,
    answer: ({ sql }) => {
      if (!/pg_sleep\((?!0\))/.test(sql)) return rowsReply([])
      if (broken++ < breaks) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
      return sleep(500, new Response('', { status: 504 })) as unknown as Response
    },
  })
  const finding = await timeChecks.find(({ id }) => id === 'time.limit')!.run(target)
  expect(finding.outcome).toBe(outcome)
})

describe('a statement below the limit', () => {
  test.each([401, 403, 419])(
    'time.below-limit is inconclusive if its token is refused with %d',
    async (code) => {
      const target = handmade({
        timeLimitMs: 500,
        answer: ({ sql }) =>
          /pg_sleep\((?!0\))/.test(sql) ? new Response('', { status: code }) : rowsReply([]),
      })
      const finding = await timeChecks.find(({ id }) => id === 'time.below-limit')!.run(target)
      expect(finding.outcome).toBe('inconclusive')
    },
  )

  test('time.below-limit fails if a 504 ends other statements that run', async () => {
    expect(await beside(true)).toEqual(['pass', 'fail'])
  })

  test('time.below-limit passes if a 504 ends only its own statement', async () => {
    expect(await beside(false)).toEqual(['pass', 'pass'])
  })
})

test.each(['time.serves-later', 'time.recovers'])(
  '%s does not blame the 504 for a small statement that is refused before it, too',
  async (id) => {
    const target = handmade({
      timeLimitMs: 500,
      answer: ({ sql }) => {
        if (/LIMIT/.test(sql)) return refuse(200, 'Token unknown - LIMIT')
        if (!/pg_sleep\((?!0\))/.test(sql)) return rowsReply([])
        return sleep(500, new Response('', { status: 504 })) as unknown as Response
      },
    })
    const finding = await timeChecks.find((check) => check.id === id)!.run(target)
    expect(finding).toMatchObject({
      outcome: 'not-exercised',
      message: expect.stringContaining('also without a 504 before it'),
    })
  },
)

/** The slow statements that reach a service with some workers, where the others wait. */
async function slowOnes(workers: number): Promise<number> {
  vi.useFakeTimers()
  try {
    let free = workers
    const waiting: (() => void)[] = []
    let slow = 0
    const work = async (ms: number) => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free--
      if (ms > 2000) slow++
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 2000)))
      const next = waiting.shift()
      if (next) next()
      else free++
      return ms > 2000 ? new Response('', { status: 504 }) : rowsReply([])
    }
    const target = handmade({
      timeLimitMs: 2000,
      answer: ({ sql }) => work(Number(/pg_sleep\((.+)\)/.exec(sql)?.[1] ?? 0) * 1000) as unknown as Response,
    })
    const finding = timeChecks.find(({ id }) => id === 'time.limit-again')!.run(target)
    await vi.runAllTimersAsync()
    expect(await finding).toMatchObject({ outcome: 'pass' })
    return slow
  } finally {
    vi.useRealTimers()
  }
}

test.each([
  [1, 1],
  [2, 1],
  [4, 2],
])(
  'a service with %i workers gets %i slow statements at once, so that others are served',
  async (count, slow) => {
    expect(await slowOnes(count)).toBe(slow)
  },
)
