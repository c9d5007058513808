import { expect, test } from 'vitest'
import { waitForTarget } from './wait-for-target.ts'

/** A target that gives these answers in turn, and repeats the last. */
function target(...answers: (number | Error)[]) {
  const asked: string[] = []
  const fetch = async (url: unknown) => {
    const answer = answers[Math.min(asked.push(String(url)), answers.length) - 1]!
    if (answer instanceof Error) throw answer
    return new Response(null, { status: answer })
  }
  return { asked, baseUrl: 'http://vendor.example/', fetch: fetch as typeof globalThis.fetch }
}
const never = new AbortController().signal
const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })

const sentence = (reason: string) =>
  `Waited 0.6 s for an answer of http://vendor.example/external/v1/statements/ (${reason}). Start the service, or give --wait more time.`

test('waits while the connection is refused and while a gateway has no service behind it', async () => {
  const slow = target(refused, 503, 405)
  expect(await waitForTarget(slow, 5000, never)).toBeUndefined()
  expect(slow.asked).toEqual(Array(3).fill('http://vendor.example/external/v1/statements/'))
})

test('says for what and how long it waited', async () => {
  expect(await waitForTarget(target(refused), 600, never)).toBe(sentence('ECONNREFUSED'))
  expect(await waitForTarget(target(502), 600, never)).toBe(sentence('HTTP 502'))
})

test('an interruption ends the wait', async () => {
  const interruption = new AbortController()
  const waiting = waitForTarget(target(refused), 60_000, interruption.signal)
  interruption.abort()
  expect(await waiting).toBeUndefined()
})
