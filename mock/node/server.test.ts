import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hour, iso, microsOf } from '../../base/time/micros.ts'
import { type Dataset, datasetOf } from '../../fixtures/dataset.ts'
import { writeAnswerKey } from '../../fixtures/export/answer-key-file.ts'
import { scenarios } from '../../fixtures/scenarios/index.ts'
import { AuthOptionsError } from '../app/auth/jwt-options.ts'
import { UnknownVariant } from '../open-points/settings.ts'
import { settingsOf } from './assemble.ts'
import { ServerError } from './http/listen.ts'
import { raw, send } from './request.test-helper.ts'
import { createReference, startServer, type Reference, type Server } from './server.ts'

const small = { scale: 0.01 } as const
/** Points in v_timeseries_data: enough for several pages. */
const countPoints = 'SELECT count(*) AS points FROM v_timeseries_data'

/** Rows that the schema of the database refuses, so that an engine over them cannot start. */
const unfit = { key: {}, rows: () => [{ id: null }] } as unknown as Dataset

const rowsOf = async (response: Promise<Response>) =>
  ((await (await response).json()) as { data: Record<string, number>[] }).data

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

describe('a server', () => {
  const log: string[] = []
  const early: Record<string, number> = {}
  let origin: string
  let server: Server

  beforeAll(async () => {
    const listen = `127.0.0.1:${await freePort()}`
    origin = `http://${listen}`
    const starting = startServer({
      ...small,
      listen,
      basePath: '/plant-1/',
      tokens: ['first-token', 'second-token'],
      log: (line) => log.push(line),
    })
    const connected = async () => {
      for (;;) {
        const response = await fetch(`${origin}/_mock/ready`).catch(() => undefined)
        if (response) return response
      }
    }
    early['ready'] = (await connected()).status
    early['statement'] = (
      await send({ baseUrl: `${origin}/plant-1`, token: 'first-token' }, 'SELECT 1')
    ).status
    server = await starting
  })
  afterAll(() => server.close())

  test('answers 503 on /_mock/ready and to statements until it is ready', async () => {
    expect(early).toEqual({ ready: 503, statement: 503 })
    expect(await (await fetch(`${origin}/_mock/ready`)).json()).toEqual({ ready: true })
  })

  test('answers a statement below its base path for each of its tokens', async () => {
    expect(server).toMatchObject({ baseUrl: `${origin}/plant-1`, token: 'first-token' })
    for (const token of ['first-token', 'second-token']) {
      const response = await send({ ...server, token }, 'SELECT id FROM v_quantities LIMIT 2')
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({
        data: [{ id: expect.any(String) }, { id: expect.any(String) }],
        status: { state: 'success', message: 'Statement executed successfully' },
      })
    }
    expect((await send({ ...server, token: 'third-token' }, 'SELECT 1')).status).toBe(401)
    expect((await send({ ...server, baseUrl: origin }, 'SELECT 1')).status).toBe(404)
  })

  test('answers with the documented error messages', async () => {
    for (const [statement, message] of [
      ['SELECT * FROM v_plants', 'relation "v_plants" does not exist'],
      ['SELEC 1', 'JSON decode error: syntax error at or near "SELEC"'],
      ['SELECT 1/0', 'Error executing statement'],
      ["SELECT '\0'", 'Error executing statement'],
    ]) {
      const response = await send(server, statement!)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ data: [], status: { state: 'error', message } })
    }
  })

  test('logs the cause of an error without tokens', async () => {
    await send(server, "SELECT 'first-token' / 0")
    expect(log.some((line) => line.includes('division by zero'))).toBe(true)
    expect(log.some((line) => line.includes("SELECT '[token]' / 0"))).toBe(true)
    expect(log.join('\n')).not.toContain('first-token')
    await send(server, "SELECT 'first-token', nam FROM v_formulas")
    expect(log.at(-1)).toMatch(
      /^200 error \d+ ms \(SqlError: column "nam" does not exist\)\n {4}LINE 1: SELECT '\[token]', nam FROM v_formulas\n {30}\^\n {4}HINT: .*"v_formulas.name"/,
    )
  })

  test('lists its metrics and requests below /_mock/, and an open event stream does not delay its stop', async () => {
    const metrics = await (await fetch(`${origin}/_mock/metrics`)).text()
    expect(metrics).toMatch(/^bioprocess_sql_statements_total\{status="200",outcome="success"\} [1-9]/m)
    expect(metrics).toMatch(/^bioprocess_sql_engines\{state="idle"\} \d/m)
    expect(metrics).toMatch(/^process_resident_memory_bytes \d{8,}$/m)
    const { requests } = (await (await fetch(`${origin}/_mock/requests`)).json()) as { requests: unknown[] }
    expect(requests.at(-1)).toMatchObject({
      statement: "SELECT '[token]', nam FROM v_formulas",
      state: 'error',
      cause: expect.stringContaining('\nLINE 1: '),
      hint: expect.stringContaining('v_formulas.name'),
      position: 23,
    })
    const accept = 'text/event-stream'
    const events = await fetch(`${origin}/_mock/requests`, { headers: { accept } })
    const reader = events.body!.getReader()
    await reader.read()
    const foreign = { headers: { origin: 'https://evil.example' } }
    expect((await fetch(`${origin}/_mock/requests`, foreign)).status).toBe(403)
    // the stream stays open until the last test closes the server
  })

  test('accepts a DELETE below /_mock/ without a content type, but no POST', async () => {
    const requests: [number, string, RequestInit][] = [
      [200, 'variants', { method: 'DELETE' }],
      [200, 'faults', { method: 'DELETE' }],
      [403, 'variants', { method: 'DELETE', headers: { origin: 'https://evil.example' } }],
      [415, 'faults', { method: 'POST' }],
      [415, 'variants/next', { method: 'POST', body: '{"variants":{}}' }],
      [415, 'variants/next', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }],
    ]
    for (const [status, path, init] of requests)
      expect((await fetch(`${origin}/_mock/${path}`, init)).status).toBe(status)
  })

  test('requires the admin token and a known host for /_mock/ beyond loopback', async () => {
    const admin = await startServer({
      ...small,
      listen: '0.0.0.0:0',
      tokens: ['t'],
      adminToken: 'admin-token',
      adminHosts: ['plant.example'],
    })
    const port = new URL(admin.baseUrl).port
    const ask = async (host: string, token: string, path = 'health') => {
      const head = `GET /_mock/${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nconnection: close`
      return Number(/^HTTP\/1.1 (\d+)/.exec(await raw(`http://127.0.0.1:${port}`, [`${head}\r\n\r\n`]))?.[1])
    }
    expect(await ask('plant.example', 'admin-token')).toBe(200)
    expect(await ask('plant.example', 't')).toBe(401)
    expect(await ask('plant.example', 't', 'answer-key')).toBe(401)
    expect(await ask('plant.example', 't', 'ready')).toBe(200)
    expect(await ask('evil.example', 'admin-token')).toBe(403)
    await admin.close()
  })

  test('tells the planted causes as an export does, also those of one run, and refuses other pages', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'answer-key-'))
    const { file } = writeAnswerKey(folder, small)
    const exported = readFileSync(join(folder, file), 'utf8')
    rmSync(folder, { recursive: true })
    const causes = `${origin}/_mock/answer-key`
    const all = await fetch(causes)
    expect(all.headers.get('content-type')).toBe('application/x-ndjson')
    expect(await all.text()).toBe(exported)
    const [{ id }] = (await rowsOf(
      send(server, "SELECT id FROM v_bioprocesses WHERE qc->>'status' = 'Fail'"),
    )) as unknown as [{ id: string }]
    const own = exported.split('\n').filter((line) => line.includes(id))
    expect(own.length).toBeGreaterThan(0)
    expect(await (await fetch(`${causes}?run=${id}`)).text()).toBe(own.map((line) => `${line}\n`).join(''))
    expect(await (await fetch(`${causes}?run=none`)).text()).toBe('')
    expect((await fetch(causes, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })

  test('streams all rows of an answer of many pages', async () => {
    const [counted] = await rowsOf(send(server, countPoints))
    const rows = await rowsOf(send(server, 'SELECT * FROM v_timeseries_data'))
    expect(rows.length).toBeGreaterThan(20_000)
    expect(rows).toHaveLength(counted!['points']!)
  })

  const session = { 'x-mock-session': 'undone', 'content-type': 'application/json' }
  const changeRows = (method: string, path: string, body?: string) =>
    fetch(`${origin}/_mock/rows${path}`, {
      method,
      headers: session,
      ...(body !== undefined && { body }),
    })
  const undoneIds = () => {
    const headers = { ...session, authorization: 'Bearer first-token' }
    return rowsOf(send(server, "SELECT id FROM v_quantities WHERE id = 'q'", { headers }))
  }

  test('undoes the changes of rows with DELETE without a body', async () => {
    expect(await (await changeRows('PUT', '/v_quantities', '{"id": "q"}')).json()).toMatchObject({
      changed: { v_quantities: 1 },
    })
    expect(await undoneIds()).toHaveLength(1)
    expect((await changeRows('DELETE', '/v_quantities')).status).toBe(400)
    expect(await (await changeRows('DELETE', '')).json()).toEqual({ changed: {} })
    expect(await undoneIds()).toHaveLength(0)
  })

  test('answers an error if a statement fails after its first rows', async () => {
    const late = 'SELECT 1 / (20000 - row_number() OVER ()) AS late FROM v_timeseries_data'
    expect(await (await send(server, late)).json()).toEqual({
      data: [],
      status: { state: 'error', message: 'Error executing statement' },
    })
  })

  test('breaks the connection if a statement fails after more than 1 MiB of rows', async () => {
    const response = await send(
      server,
      "SELECT repeat('x', 1000) AS text, 1 / (5000 - row_number() OVER ()) AS late FROM v_timeseries_data",
    )
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(log.at(-1)).toMatch(/^200 broken .*division by zero/)
  })

  test.each([
    ['that is in use', () => origin.slice('http://'.length), /^Port \d+ of 127.0.0.1 is in use\./],
    ['of another machine', () => '192.0.2.1:0', /is no address of this machine/],
    ['without a port', () => '127.0.0.1', /is not an address to listen on/],
    ['beyond the last port', () => '127.0.0.1:65536', /is not an address to listen on/],
  ])('refuses an address %s', async (_, listen, message) => {
    const refused = startServer({ ...small, listen: listen(), tokens: ['t'] })
    await expect(refused).rejects.toThrow(ServerError)
    await expect(refused).rejects.toThrow(message)
  })

  test('refuses an address beyond loopback without a token of its own', async () => {
    for (const options of [{}, { tokens: 'any' }] as const)
      await expect(startServer({ ...small, listen: '0.0.0.0:0', ...options })).rejects.toThrow(
        '0.0.0.0 can be reached from other machines.',
      )
  })

  test('accepts an address beyond loopback with JWTs, and has nothing below /_mock/ there without an admin token', async () => {
    const jwt = { jwksUrl: 'http://127.0.0.1:9/jwks', issuer: 'i', audience: 'a' }
    const open = await startServer({ ...small, listen: '0.0.0.0:0', jwt })
    expect(await rowsOf(send(open, 'SELECT 1 AS n'))).toEqual([{ n: 1 }])
    const { port } = new URL(open.baseUrl)
    // balancers ask it
    expect((await fetch(`http://127.0.0.1:${port}/_mock/ready`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/_mock/health`)).status).toBe(404)
    await open.close()
  })

  test('refuses options of authentication that are invalid or contradict each other', async () => {
    const jwt = { jwksUrl: 'http://127.0.0.1:9/jwks', issuer: 'i', audience: 'a' }
    for (const options of [
      { jwt, tokens: 'any' },
      { jwt, variants: { 'auth.mode': 'client-credentials' } },
      { variants: { 'auth.mode': 'authorization-code' } },
      { jwt: { ...jwt, jwksUrl: 'ftp://h.example/jwks' } },
      { client: { id: '', secret: 'x' } },
      { tokenLifetimeSeconds: 0.5 },
    ] as const)
      await expect(startServer(options)).rejects.toThrow(AuthOptionsError)
  })

  test('refuses an invalid token, base path or variant', async () => {
    await expect(startServer({ tokens: [] })).rejects.toThrow('No client can pass without a token')
    await expect(startServer({ tokens: ['two words'] })).rejects.toThrow('cannot be sent in a header')
    for (const basePath of ['plant', '/a/../b', '/.', '/a//b'])
      await expect(startServer({ basePath })).rejects.toThrow(`"${basePath}" is not a base path`)
    await expect(startServer({ variants: { 'rows.shape': 'round' as 'array' } })).rejects.toThrow(
      UnknownVariant,
    )
  })

  test('refuses a clock of the database for rows that have no time', async () => {
    for (const own of [{ dataset: unfit }, { database: { url: 'postgres://reader@db.example/plant' } }])
      await expect(startServer({ ...own, databaseClock: 'real' })).rejects.toThrow(
        'Only a simulated plant has a time of its own. Leave out `databaseClock`, or your own rows.',
      )
  })

  test('refuses a time that no timer waits for', async () => {
    for (const options of [{ timeLimitMs: 2 ** 31 }, { drainMs: -1 }, { live: { intervalMs: Infinity } }])
      await expect(startServer(options)).rejects.toThrow(/Give milliseconds from [01] to 2147483647/)
  })

  test('closes its socket if its engine does not start', async () => {
    const listen = `127.0.0.1:${await freePort()}`
    await expect(startServer({ listen, dataset: unfit })).rejects.toThrow(/null value/)
    await expect(fetch(`http://${listen}/_mock/ready`)).rejects.toThrow('fetch failed')
  })

  test('lets a running statement end when it is closed twice', async () => {
    const running = rowsOf(send(server, 'SELECT pg_sleep(0.5), 1 AS n'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const closing = [server.close(), server.close()]
    expect(await running).toMatchObject([{ n: 1 }])
    await Promise.all(closing)
    await server.close()
    await expect(fetch(`${origin}/_mock/ready`)).rejects.toThrow('fetch failed')
  })
})

// Repeated, because a busy machine may not start an engine in the 5 s that a statement waits for one.
describe('a server with a short time limit', { retry: 2 }, () => {
  const log: string[] = []
  let server: Server
  beforeAll(async () => {
    server = await startServer({ ...small, timeLimitMs: 4000, log: (line) => log.push(line) })
  })
  afterAll(() => server.close())

  /** Waits until an engine is idle. */
  beforeEach(() =>
    vi.waitFor(
      async () => {
        const metrics = await (await fetch(`${server.baseUrl}/_mock/metrics`)).text()
        expect(metrics).toMatch(/^bioprocess_sql_engines\{state="idle"\} [1-9]/m)
      },
      { timeout: 60_000, interval: 100 },
    ),
  )

  test('answers 504 at the limit, also after the first rows, and other statements meanwhile', async () => {
    const order: string[] = []
    const withRows = send(server, 'SELECT id, pg_sleep(0.001) FROM v_timeseries_data')
    const slow = send(server, 'SELECT pg_sleep(60)').then((response) => {
      order.push('slow')
      return response
    })
    const quick = Array.from({ length: 10 }, (_, n) => rowsOf(send(server, `SELECT ${n} AS n`)))
    expect(await Promise.all(quick)).toEqual(Array.from({ length: 10 }, (_, n) => [{ n }]))
    order.push('quick')
    const response = await slow
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ data: [], status: { state: 'error' } })
    expect(order).toEqual(['quick', 'slow'])
    expect((await withRows).status).toBe(504)
  })

  test.each(['SELECT pg_sleep(60)', 'SELECT * FROM v_timeseries_data a, v_timeseries_data b'])(
    'frees the engine of a client that disconnects during %s',
    async (statement) => {
      const logged = log.length
      const patient = send(server, 'SELECT pg_sleep(60)')
      for (let count = 0; count < 3; count++) {
        const client = new AbortController()
        const aborted = send(server, statement, { signal: client.signal })
        setTimeout(() => client.abort(), 50)
        await expect(aborted.then((response) => response.text())).rejects.toThrow('aborted')
      }
      expect((await patient).status).toBe(504)
      // the aborted statements end before the earlier one that nobody aborted
      expect(log.slice(logged).map((line) => /^\d+ \w+/.exec(line)?.[0])).toEqual([
        ...Array(3).fill(expect.stringMatching(/^(499|200) broken/)),
        '504 error',
      ])
      expect(await rowsOf(send(server, 'SELECT 1 AS n'))).toEqual([{ n: 1 }])
    },
  )
})

test('a live server tells the time of its plant in SQL, or the real one', async () => {
  let time = microsOf('time', '2026-01-01T00:00:00Z')
  const live = { clock: () => time, intervalMs: 10 }
  const told =
    "SELECT now(), count(*) > 0 AS some FROM v_timeseries_data WHERE last_updated_at > now() - interval '1 hour'"
  const server = await startServer({ ...small, live })
  time += 25 * hour
  await vi.waitFor(
    async () => expect(await rowsOf(send(server, told))).toEqual([{ now: iso(time), some: true }]),
    { timeout: 60_000, interval: 100 },
  )
  await server.close()
  const real = await startServer({ ...small, live, databaseClock: 'real' })
  const before = Date.now()
  const [{ now }] = (await rowsOf(send(real, told))) as unknown as [{ now: string }]
  expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
  await real.close()
})

const keyOf = async ({ baseUrl, fetch }: Reference, of = baseUrl) =>
  (await fetch(`${of}/_mock/answer-key`)).text()
const runsIn = (text: string) => new Set(text.match(/\b[0-9a-f]{24}\b/g)).size

test('the planted causes are those at the time of the session, and rows of one’s own have none', async () => {
  const reference = await createReference(small)
  const later = reference.session('later')
  await later.clock.advance('10d')
  expect(runsIn(await keyOf(reference, later.baseUrl))).toBeGreaterThan(runsIn(await keyOf(reference)))
  await reference.close()
  const own = await createReference({ dataset: datasetOf({}) })
  expect(JSON.parse(await keyOf(own))).toMatchObject({
    status: { state: 'error', message: expect.stringContaining('`serve` without --data and --database') },
  })
  await own.close()
})

describe('a reference in this process', () => {
  let reference: Reference
  beforeAll(async () => {
    reference = await createReference({ ...small, tokens: 'any', variants: { 'http.no-slash': '200' } })
  })
  afterAll(() => reference.close())

  const ask = (token: string, path: string, statement = 'SELECT 1 AS n') =>
    reference.fetch(`${reference.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ statement }),
    })

  test('answers without a socket, and accepts any token with tokens: any', async () => {
    for (const token of [reference.token, 'whatever'])
      expect(await rowsOf(ask(token, '/external/v1/statements/'))).toEqual([{ n: 1 }])
    expect((await ask('', '/external/v1/statements/')).status).toBe(401)
  })

  test('has the variants of its options', async () => {
    expect(await rowsOf(ask('any', '/external/v1/statements'))).toEqual([{ n: 1 }])
  })

  test('rejects an invalid URL, as every fetch does', async () => {
    await expect(reference.fetch('no url')).rejects.toThrow('no url')
  })

  test('can be closed twice and answers 503 afterwards', async () => {
    await reference.close()
    await reference.close()
    expect((await ask('any', '/external/v1/statements/')).status).toBe(503)
  })

  test('answers on, and counts the lines, if its log throws', async () => {
    const failing = await startServer({
      ...small,
      log: () => {
        throw new Error('the log is lost')
      },
    })
    expect(await rowsOf(send(failing, 'SELECT 1 AS n'))).toEqual([{ n: 1 }])
    const health = await fetch(`${failing.baseUrl}/_mock/health`)
    expect(await health.json()).toMatchObject({ droppedLogLines: 1 })
    await failing.close()
  })

  test('is rejected if its engine does not start', async () => {
    await expect(createReference({ dataset: unfit })).rejects.toThrow(/null value/)
    await expect(createReference({ dataset: datasetOf({}), tokens: [''] })).rejects.toThrow(ServerError)
  })
})

describe('a scenario', () => {
  const { run } = scenarios.running.ids
  const runs = 'SELECT id, status FROM v_bioprocesses'

  test('has its rows alone, and its time can be moved', async () => {
    const server = await startServer({ scenario: 'running', token: 'secret' })
    expect(await rowsOf(send(server, runs))).toEqual([{ id: run, status: 'In-progress' }])
    expect(await rowsOf(send(server, "SELECT now() = '2026-01-01' AS same"))).toEqual([{ same: true }])
    const { plant } = (await (await fetch(`${server.baseUrl}/_mock/console`)).json()) as { plant: object }
    expect(plant).toMatchObject({ scenario: { name: 'running', text: scenarios.running.text } })
    const session = server.session()
    await session.clock.advance('10d')
    const moved = { baseUrl: session.baseUrl, token: 'secret' }
    expect(await rowsOf(send(moved, runs))).toEqual([{ id: run, status: 'Completed' }])
    await server.replaceData(datasetOf({}))
    expect(await rowsOf(send(server, runs))).toEqual([])
    await server.close()
  })

  test('is refused with other rows, or with a part of another plant', async () => {
    const dataset = datasetOf({})
    await expect(createReference({ scenario: 'empty', dataset })).rejects.toThrow(
      'A scenario has rows of its own.',
    )
    await expect(startServer({ scenario: 'empty', seed: 2 })).rejects.toThrow(
      'Leave out seed, or the scenario.',
    )
  })
})

test('variants that change rows are refused for a database, which others may use', () => {
  const database = { url: 'postgres://reader@db.example/plant' }
  expect(() => settingsOf({ variants: { 'qc.types': 'enum' } }, database)).toThrow(
    /^qc\.types=enum changes the rows, .*without --database/,
  )
  expect(settingsOf({ variants: { 'rows.shape': 'array' } }, database)['rows.shape']).toBe('array')
})

test('the option sql chooses which statements are accepted', () => {
  expect(settingsOf({ sql: 'documented' }, undefined)['sql.accept']).toBe('documented')
  expect(settingsOf({ sql: 'any' }, undefined)['sql.accept']).toBe('select-only')
})
