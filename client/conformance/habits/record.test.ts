import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultText } from '../../../mock/app/faults/fault.ts'
import type { Exchange } from '../rules/exchange.ts'
import { type HabitServers, startHabitServers } from './server.ts'

let servers: HabitServers
beforeAll(async () => {
  servers = await startHabitServers({ scale: 0.01 })
})
afterAll(() => servers.close())

/** Sends one statement to a server with faults, reads the answer as far as possible, and returns the exchange. */
async function recorded(
  faults: FaultText[],
  kind: 'listen' | 'open',
  leave = false,
  statement = 'SELECT * FROM v_quantities',
): Promise<Exchange> {
  const seen: Exchange[] = []
  const server = await servers[kind]({
    variants: {},
    faults,
    onExchange: ({ exchange }) => seen.push(exchange),
  })
  const ending = new AbortController()
  try {
    const response = await server.fetch(`${server.baseUrl}/external/v1/statements/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ statement }),
      signal: ending.signal,
    })
    if (leave) ending.abort()
    await response.text()
  } catch {
    // the recorded ending says what happened
  }
  // a server notices a client that leaves a moment later
  await expect.poll(() => seen.length).toBe(1)
  await server.close()
  return seen[0]!
}

describe.each(['listen', 'open'] as const)('the exchange of a server that was opened with %s()', (kind) => {
  test('has the request and the whole answer', async () => {
    const { answer, ...request } = await recorded([], kind)
    expect(request).toMatchObject({
      method: 'POST',
      path: '/external/v1/statements/',
      body: { text: '{"statement":"SELECT * FROM v_quantities"}', isWhole: true },
      headers: { 'content-type': 'application/json', authorization: expect.stringMatching(/^Bearer \S+/) },
      ending: 'complete',
    })
    expect(request.endedMs).toBeGreaterThan(request.startedMs)
    expect(Math.abs(request.endedMs - Date.now())).toBeLessThan(60_000)
    expect(JSON.parse(answer!.body.text).data.length).toBeGreaterThan(10)
  })

  test('tells the time of the plant in SQL', async () => {
    const { answer } = await recorded([], kind, false, 'SELECT now()')
    expect(JSON.parse(answer!.body.text).data).toEqual([{ now: '2026-01-01T00:00:00.000000+00:00' }])
  })

  test.each<[FaultText, string, number | undefined]>([
    ['truncate:500', 'truncated', 500],
    ['reset:500', 'truncated', 500],
    ['truncate:500,framing=chunked', 'truncated', 500],
    ['truncate:500,framing=complete', 'complete', 500],
    ['reset', 'reset', undefined],
  ])('of %s ends as %s after %s bytes', async (fault, ending, length) => {
    const exchange = await recorded([fault], kind)
    expect([exchange.ending, exchange.answer?.body.text.length]).toEqual([ending, length])
  })

  test('has the statement even if the server answers before it reads the body', async () => {
    for (const [fault, status] of [
      ['timeout', 504],
      ['status:503,retry-after=1s', 503],
    ] as const) {
      const { body, answer } = await recorded([fault], kind)
      expect([answer?.status, body.text]).toEqual([status, '{"statement":"SELECT * FROM v_quantities"}'])
    }
  })
})

test('the exchange of a client that leaves during a slow body is aborted', async () => {
  expect((await recorded(['drip:1KB/s'], 'listen', true)).ending).toBe('aborted')
})
