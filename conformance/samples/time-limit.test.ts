import { expect, test, vi } from 'vitest'
import { Client } from '../connection/http/client.ts'
import { Limits } from '../connection/http/limits.ts'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { overrun, RECOVERY_MS, servesOthersMeanwhile } from './time-limit.ts'
import { Target } from '../connection/target.ts'
import { Tokens } from '../connection/http/tokens.ts'

const timeLimitMs = 20
const success = JSON.stringify({ data: [], status: { state: 'success', message: '' } })

/** Runs {@link overrun} on a target that ends a sleep with 504 and then replies to small statements as given. */
async function measured(afterwards: (nth: number) => Response) {
  let slept = false
  let small = 0
  const answer = async (statement: string) => {
    if (statement.endsWith('(0)')) return new Response(success)
    if (!statement.includes('sleep')) return slept ? afterwards(++small) : new Response(success)
    await new Promise((resolve) => setTimeout(resolve, timeLimitMs))
    slept = true
    return new Response('', { status: 504 })
  }
  const limits = new Limits({})
  const client = new Client({
    baseUrl: 'http://localhost',
    path: '/',
    tokens: new Tokens('token', undefined, () => {}),
    headers: {},
    fetch: async (_, init) => answer((JSON.parse(init!.body as string) as { statement: string }).statement),
    timeoutMs: 1000,
    retries: 0,
    limits,
  })
  const found = await overrun(new Target(client, { timeLimitMs, destructiveProbes: false }))
  limits.end()
  const { long, after, recoveryMs } = found
  return { ends: { long: long.response?.status, after: after.response?.status, small }, recoveryMs }
}

const reset = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
}

test.concurrent.each([
  ['is busy', () => new Response('', { status: 503 })],
  ['limits the rate', () => new Response('', { status: 429 })],
  ['answers 500', () => new Response('', { status: 500 })],
  ['answers 504', () => new Response('', { status: 504 })],
  ['closes the connection', reset],
])('overrun repeats the small statement if the target %s after the 504', async (_, first) => {
  const found = await measured((nth) => (nth === 1 ? first() : new Response(success)))
  expect(found.ends).toEqual({ long: 504, after: 200, small: 2 })
})

/** The same, with a clock that need not be waited for. */
async function measuredFast(afterwards: (nth: number) => Response) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const found = measured(afterwards)
    await vi.advanceTimersByTimeAsync(60_000)
    return await found
  } finally {
    vi.useRealTimers()
  }
}

test('overrun waits for a target that recovers late, because other checks follow', async () => {
  const late = await measuredFast((nth) => new Response(success, { status: nth > 11 ? 200 : 503 }))
  expect(late.ends.after).toBe(200)
  expect(late.recoveryMs).toBeGreaterThan(RECOVERY_MS)
})

test('overrun stops repeating the small statement after 15 s of overload', async () => {
  const busy = await measuredFast(() => new Response('', { status: 503 }))
  expect(busy.ends.after).toBe(503)
  expect(busy.ends.small).toBeGreaterThan(20)
})

test.concurrent('overrun sends the small statement once if it is refused', async () => {
  const { ends } = await measured(() => new Response('', { status: 403 }))
  expect(ends).toEqual({ long: 504, after: 403, small: 1 })
})

const until = (at: number) => new Promise((resolve) => setTimeout(resolve, at - performance.now()))

/** Whether a service that takes `startMs` for its second engine serves others, and how many sleeps that took. */
async function servesOthers(startMs: number) {
  const target = handmade({})
  let begun = 0
  let sleeps = 0
  target.client.options.fetch = async (_, init) => {
    const seconds = Number(/sleep\(([\d.]+)\)/.exec(String(init?.body))?.[1] ?? 0)
    if (seconds > 0 && sleeps++ === 0) begun = performance.now()
    await until(seconds > 0 ? performance.now() + seconds * 1000 : begun + startMs)
    return rowsReply([])
  }
  return { serves: await servesOthersMeanwhile(target), sleeps }
}

test.each([
  ['that has a second engine ready', 0],
  ['that starts its second engine meanwhile', 600],
])('a service %s serves others during a sleep', async (_, startMs) => {
  expect(await servesOthers(startMs)).toEqual({ serves: true, sleeps: 1 })
})

test('a service that answers no plain statement, but another one, serves others during a sleep', async () => {
  const target = handmade({})
  target.client.options.fetch = async (_, init) => {
    const body = String(init?.body)
    if (/sleep\((0\.[1-9]|[1-9])/.test(body) || body.includes('LIMIT 1'))
      await until(performance.now() + 2000)
    return rowsReply([])
  }
  const serves = servesOthersMeanwhile(target)
  await until(performance.now() + 300)
  await target.query('SELECT id FROM v_quantities LIMIT 5')
  expect(await serves).toBe(true)
})
