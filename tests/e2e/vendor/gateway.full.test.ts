import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { startServer, type Server } from '../../../mock/index.ts'
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
    ['503 at once', 'limit_req zone=one burst=2 nodelay;'],
    ['429 at once', 'limit_req zone=one burst=2 nodelay; limit_req_status 429;'],
    ['a delay, then 503', 'limit_req zone=one burst=5;'],
  ])(
    'a conformant service passes every check, and the report counts what was limited: %s',
    async (_, limit) => {
      const port = await freePort()
      const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-gateway-'))
      const statuses = join(folder, 'statuses')
      const end = await startNginx(
        `limit_req_zone $server_port zone=one:1m rate=20r/s;
log_format status '$status';
server { listen 127.0.0.1:${port}; access_log ${statuses} status;
  location / { ${limit} proxy_http_version 1.1; proxy_pass ${server.baseUrl}; } }`,
        port,
      )
      try {
        const report = await judged(`http://127.0.0.1:${port}`)
        expect(notPassed(report)).toEqual([])
        const limited = readFileSync(statuses, 'utf8').match(/^(429|503)$/gm)?.length ?? 0
        const counted = report.notes?.map(
          (note) => /^The target limited (\d+) of \d+ requests/.exec(note)?.[1],
        )
        expect(counted?.find(Boolean) ?? '0').toBe(String(limited))
      } finally {
        await end()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
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

const page = () => new Response('<html>502 Bad Gateway</html>', { status: 502 })

test('a conformant service passes every check while it is restarted once behind a gateway', async () => {
  const timeLimitMs = 2_000
  const short = await startServer({ scale: 0.01, runs: 16, tokens: ['gateway-token'], timeLimitMs })
  const down = new AbortController()
  let upAgain = Infinity
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (performance.now() < upAgain && down.signal.aborted) return page()
    // the first statement that would exceed the limit meets the restart, and all others that run then
    if (String(init?.body).includes('pg_sleep(17') && !down.signal.aborted)
      setTimeout(() => {
        upAgain = performance.now() + 300
        down.abort()
      }, timeLimitMs / 4)
    const isLost = new Promise<Response>((resolve) => {
      if (!down.signal.aborted) down.signal.addEventListener('abort', () => resolve(page()), { once: true })
    })
    return Promise.race([globalThis.fetch(input, init), isLost])
  }
  try {
    const options = { baseUrl: short.baseUrl, token: 'gateway-token', timeLimitMs, fetch }
    const { checks } = await runConformance(options)
    expect(down.signal.aborted).toBe(true)
    expect(checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')).toEqual([])
  } finally {
    await short.close()
  }
})
