import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { handmade, refuse, rowsReply } from '../../connection/handmade.test-helper.ts'
import { inParallelCheck } from './in-parallel.ts'

/** Runs the check against a service that answers `beyond` when more than two statements are in flight. */
async function outcomeWith(beyond: (n: number) => Response | undefined, alone?: () => Response | undefined) {
  let [inFlight, refusals] = [0, 0]
  const answer = async (sql: string) => {
    inFlight++
    await setTimeout(5)
    const reply = inFlight > 2 ? beyond(++refusals) : refusals > 0 ? alone?.() : undefined
    inFlight--
    return reply ?? rowsReply([{ id: sql }])
  }
  const finding = await inParallelCheck.run(
    handmade({ answer: ({ sql }) => answer(sql) as unknown as Response }),
  )
  return finding.outcome
}

test.each([
  ['an error', () => refuse(200)],
  ['HTTP 500', () => new Response('', { status: 500 })],
])('statements that get %s together and are served alone fail', async (_, reply) => {
  expect(await outcomeWith(reply)).toBe('fail')
})

test.each([
  ['429', () => new Response('', { status: 429 })],
  ['503', () => refuse(503)],
  ['504', () => refuse(504)],
  ['words of a limit', () => refuse(200, 'too many statements')],
])('statements that get %s together do not fail', async (_, reply) => {
  expect(await outcomeWith(reply)).not.toBe('fail')
})

test('statements that are refused alone as well are a limit of requests', async () => {
  expect(
    await outcomeWith(
      () => refuse(200),
      () => refuse(200),
    ),
  ).toBe('observed')
})

test('statements that fail together in one round only pass', async () => {
  expect(await outcomeWith((n) => (n < 3 ? refuse(500) : undefined))).toBe('pass')
})
