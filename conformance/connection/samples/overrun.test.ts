import { expect, test } from 'vitest'
import { judgeOverrun } from '../../checks/time-limit.ts'
import { Client } from '../client.ts'
import { Limits } from '../limits.ts'
import { overrun } from './overrun.ts'
import { Target } from '../target.ts'
import { Tokens } from '../tokens.ts'

const timeLimitMs = 20
const success = JSON.stringify({ data: [], status: { state: 'success', message: '' } })

/** Judges a target that ends a sleep with 504 and then answers small statements in this way. */
async function judged(afterwards: (nth: number) => Response) {
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
  limits.release()
  return { ...judgeOverrun(found, timeLimitMs), small }
}

const reset = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
}

test.each([
  ['busy', () => new Response('', { status: 503 })],
  ['limited', () => new Response('', { status: 429 })],
  ['broken off', reset],
])('a small statement that is %s after the 504 is sent again', async (_, first) => {
  expect(await judged((nth) => (nth === 1 ? first() : new Response(success)))).toMatchObject({
    outcome: 'pass',
    small: 2,
  })
})

test('one that is not served for 5 s fails, one that is refused is not sent again', async () => {
  const busy = await judged(() => new Response('', { status: 503 }))
  expect(busy).toMatchObject({ outcome: 'fail', actual: expect.stringContaining('HTTP 503') })
  expect(busy.small).toBeGreaterThan(5)
  expect(await judged(() => new Response('', { status: 500 }))).toMatchObject({ outcome: 'fail', small: 1 })
})
