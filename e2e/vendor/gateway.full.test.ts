import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../../conformance/index.ts'
import { startServer, type Server } from '../../mock/index.ts'
import { freePort } from '../support/postgres/programs.ts'
import { lacksNginx, startNginx } from '../support/nginx.ts'

// A gateway in front of a conformant service, which limits the rate or drops connections.

let server: Server
beforeAll(async () => {
  server = await startServer({ scale: 0.01, runs: 16, tokens: ['gateway-token'] })
})
afterAll(() => server.close())

const judged = (baseUrl: string, fetch?: typeof globalThis.fetch) =>
  runConformance({ baseUrl, token: 'gateway-token', skip: ['time.*'], ...(fetch && { fetch }) })

/** The checks that did not pass, and are no notes. */
const notPassed = ({ checks }: Awaited<ReturnType<typeof judged>>) =>
  checks
    .filter(({ outcome, level }) => outcome !== 'pass' && !(outcome === 'observed' && level === 'observe'))
    .map(({ id, outcome, message }) => `${id}: ${outcome}, ${message}`)

describe.skipIf(lacksNginx)('behind nginx that limits the rate', () => {
  test.each([
    ['503 at once', 'limit_req zone=one burst=5 nodelay;', true],
    ['429 at once', 'limit_req zone=one burst=5 nodelay; limit_req_status 429;', true],
    ['a delay, then 503', 'limit_req zone=one burst=5;', false],
  ])('a conformant service passes every check: %s', async (_, limit, isMet) => {
    const port = await freePort()
    const end = startNginx(`limit_req_zone $server_port zone=one:1m rate=30r/s;
server { listen 127.0.0.1:${port};
  location / { ${limit} proxy_http_version 1.1; proxy_pass ${server.baseUrl}; } }`)
    try {
      const report = await judged(`http://127.0.0.1:${port}`)
      expect(notPassed(report)).toEqual([])
      const limited = /^The target limited \d+ of \d+ requests; the suite slowed down, which took [\d.]+ s\.$/
      if (isMet) expect(report.notes).toContainEqual(expect.stringMatching(limited))
    } finally {
      await end()
    }
  })
})

test('a conformant service passes every check while one connection of a hundred drops at random', async () => {
  let dropped = 0
  const fetch: typeof globalThis.fetch = (input, init) => {
    if (Math.random() >= 0.01) return globalThis.fetch(input, init)
    dropped++
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
  }
  const outcomes: string[] = []
  for (let run = 0; run < 5; run++) outcomes.push(...notPassed(await judged(server.baseUrl, fetch)))
  expect(outcomes).toEqual([])
  expect(dropped).toBeGreaterThan(0)
})
