import { afterAll, beforeAll, expect, test } from 'vitest'
import { Pace } from '../../conformance/connection/http/pace.ts'
import { runAt } from '../../conformance/run/conformance.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { smallPlant, startReference, type LimitedReference } from './support/self-proof.ts'

let reference: LimitedReference
let plain: ConformanceReport
beforeAll(async () => {
  reference = await startReference(smallPlant)
  plain = await run((fetch) => fetch)
})
afterAll(() => reference.close())

const run = (wrap: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch) =>
  runAt(new Pace(Infinity, 1), {
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: wrap(reference.fetch),
    timeLimitMs: reference.timeLimitMs,
    skip: ['time.*'],
    requirementSet: 'next',
  })

const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<html><body>Please come back later.</body></html>', {
    status,
    headers: { 'content-type': 'text/html', ...headers },
  })
const failing = (code: string) => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

type Answer = (fetch: () => Promise<Response>) => Response | Promise<Response>
const error = JSON.stringify({ data: [], status: { state: 'error', message: 'Please come back later.' } })

const kinds: Record<string, Answer> = {
  'a 429': () => page(429),
  'a 503 in an envelope': () =>
    new Response(error, { status: 503, headers: { 'content-type': 'application/json' } }),
  'a 502 page': () => page(502),
  'a 504 page': () => page(504),
  'a 403 with Retry-After': () => page(403, { 'retry-after': '0' }),
  'a page with HTTP 200': () => page(200),
  'a page with HTTP 500': () => page(500),
  'a body that ends early': async (fetch) => {
    const response = await fetch()
    const text = await response.text()
    return new Response(text.slice(0, text.length >> 1), response)
  },
  'a dropped connection': () => failing('ECONNRESET'),
  'a refused connection': () => failing('ECONNREFUSED'),
}

/** Answers every nth request so, its repetitions included. */
const everyNth =
  (nth: number, answer: Answer) =>
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch => {
    let count = 0
    return async (input, init) =>
      ++count > 1 && count % nth === 0 ? answer(() => fetch(input, init)) : fetch(input, init)
  }

/** What a run says that one without lost replies does not. */
function wrongIn({ checks, observations }: ConformanceReport): string[] {
  const outcomes = new Map(plain.checks.map(({ id, outcome }) => [id, outcome]))
  return [
    ...checks
      .filter(({ id, outcome }) => !['inconclusive', 'not-exercised', outcomes.get(id)].includes(outcome))
      .map(({ id, outcome, message }) => `${id}: ${outcome}, ${message}`),
    ...Object.entries(observations)
      .filter(
        ([number, { point, variant }]) =>
          // a limit is what the target has
          point !== 'rate.mode' && variant !== undefined && variant !== plain.observations[number]?.variant,
      )
      .map(([number, { point, seen }]) => `${number} ${point}: ${seen}`),
  ]
}

test.each(
  Object.entries(kinds).flatMap(([kind, answer]) => [4, 10].map((nth) => [kind, nth, answer] as const)),
)(
  'no outcome is wrong if %s answers every request number %i',
  async (_, nth, answer) => {
    const report = await run(everyNth(nth, answer))
    expect(wrongIn(report)).toEqual([])
  },
  120_000,
)
