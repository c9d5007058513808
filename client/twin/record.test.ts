import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { importDirectory } from '../../fixtures/import/index.ts'
import { limits } from '../../fixtures/import/limits.ts'
import { contract } from '../../schemas/index.ts'
import { ascends } from './read/key-order.ts'
import { record, type RecordOptions } from './record.ts'
import {
  envelope,
  orderingService,
  point,
  quantity,
  serviceOf,
  status,
  type Sort,
} from './service.test-helper.ts'

let folder: string
let out: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-'))
  out = join(folder, 'twin')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const quantities = Array.from({ length: 200 }, (_, n) => quantity(n))
const stateFile = () => `${out}.state.json`
const numbers = () =>
  readFileSync(join(out, 'v_quantities.ndjson'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { molar_mass: number }).molar_mass)
const all = quantities.map((_, n) => n)

const start = (service: ReturnType<typeof serviceOf>, options: Partial<RecordOptions> = {}) =>
  record({ ...service, out, maxRequests: 1000, maxRows: 10_000, version: 'test', ...options })

describe('a recording that is interrupted', () => {
  test.each([3, 10, 15, 25])('at request %d continues and has every row once', async (at) => {
    const interruption = new AbortController()
    const service = serviceOf({ v_quantities: quantities }, 10, (_, number) => {
      if (number === at) interruption.abort(new Error('Ctrl-C'))
      return undefined
    })
    await expect(start(service, { signal: interruption.signal })).rejects.toThrow('Ctrl-C')
    const { finished } = JSON.parse(readFileSync(join(out, 'recording.json'), 'utf8')) as {
      finished: boolean
    }
    expect(finished).toBe(false)
    const recording = await start(service)
    expect(recording.finished).toBe(true)
    expect(recording.views.v_quantities).toEqual({ rows: 200, complete: true })
    expect(numbers()).toEqual(all)
    expect(existsSync(stateFile())).toBe(false)
  })

  test('by a crash while it wrote drops what was written half', async () => {
    const service = serviceOf({ v_quantities: quantities }, 10, (_, number) =>
      number === 15 ? status(401) : undefined,
    )
    await expect(start(service)).rejects.toThrow('rejects the access token')
    appendFileSync(join(out, 'v_quantities.ndjson'), '{"id":"half')
    expect((await start(service)).finished).toBe(true)
    expect(numbers()).toEqual(all)
    expect((await importDirectory(out)).refused).toBe(0)
  })

  test('can be served meanwhile, with a warning', async () => {
    const service = serviceOf({ v_quantities: quantities }, 10, (_, number) =>
      number === 15 ? status(401) : undefined,
    )
    await expect(start(service)).rejects.toThrow('rejects the access token')
    const { refused, rows, warnings } = await importDirectory(out)
    expect(refused).toBe(0)
    expect(rows.v_quantities).toBeGreaterThan(10)
    expect(warnings).toContain('v_quantities is incomplete in this recording. The recording was interrupted.')
  })

  test('keeps ids of the service and the key only in a file for its owner beside the folder', async () => {
    const service = serviceOf({ v_quantities: quantities }, 10, (_, number) =>
      number === 15 ? status(401) : undefined,
    )
    await expect(start(service)).rejects.toThrow('rejects the access token')
    expect(statSync(stateFile()).mode & 0o777).toBe(0o600)
    const { ownKey } = JSON.parse(readFileSync(stateFile(), 'utf8')) as { ownKey: string }
    const recording = readFileSync(join(out, 'recording.json'), 'utf8')
    expect(recording).not.toContain(ownKey)
    expect(recording).not.toContain('vendor.example')
  })
})

describe('a budget', () => {
  test('of requests ends the run, names every view that lacks rows, and a later run continues', async () => {
    const service = serviceOf({ v_quantities: quantities, v_experiments: [] }, 10)
    const first = await start(service, { maxRequests: 12 })
    expect(service.sent.length).toBe(12)
    expect(first.finished).toBe(false)
    for (const view of Object.values(first.views))
      expect(view).toMatchObject({ complete: false, missing: expect.stringContaining('12 requests') })
    const second = await start(service, { maxRequests: 500 })
    expect(second).toMatchObject({ finished: true, requests: service.sent.length })
    expect(numbers()).toEqual(all)
  })

  test('of rows is not exceeded', async () => {
    const service = serviceOf({ v_quantities: quantities })
    const recording = await start(service, { maxRows: 50 })
    expect(recording.rowsReceived).toBe(50)
    expect(recording.views.v_quantities).toEqual({
      rows: 50,
      complete: false,
      missing: 'The budget of 50 rows is spent (--max-rows).',
    })
    expect((await start(service)).views.v_quantities).toEqual({ rows: 200, complete: true })
  })
})

const endless = () =>
  new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(100_000).fill(32)) }))

describe('a service whose answers have no end', () => {
  test('spends the budget of bytes, and keeps what was read before', async () => {
    const service = serviceOf({ v_quantities: quantities }, Infinity, (statement) =>
      statement.includes('v_bioprocesses') ? endless() : undefined,
    )
    const first = await start(service, { maxBytes: 2_000_000 })
    expect(first).toMatchObject({
      finished: false,
      views: {
        v_quantities: { rows: 200, complete: true },
        v_bioprocesses: { complete: false, missing: 'The budget of 2000000 bytes is spent (--max-bytes).' },
      },
    })
    expect((await start(serviceOf({ v_quantities: quantities }))).finished).toBe(true)
  })

  test('or that never answers is left when the signal aborts', async () => {
    const interruption = new AbortController()
    const hanging = serviceOf({ v_quantities: quantities })
    const fetch = ((url: string, init?: RequestInit) =>
      String(init?.body).includes('v_formulas')
        ? new Promise<Response>(() => setTimeout(() => interruption.abort(new Error('Ctrl-C')), 10))
        : hanging.fetch(url, init)) as typeof globalThis.fetch
    await expect(start({ ...hanging, fetch }, { signal: interruption.signal })).rejects.toThrow('Ctrl-C')
    expect(numbers()).toEqual(all)
  })
})

test('a service that never answers statements on one view ends as one without it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const service = serviceOf({ v_quantities: quantities })
  const fetch = ((url: string, init?: RequestInit) =>
    String(init?.body).includes('v_formulas ')
      ? new Promise<Response>(() => {})
      : service.fetch(url, init)) as typeof globalThis.fetch
  const said: string[] = []
  const recorded = start({ ...service, fetch }, { say: (line) => void said.push(line) })
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  const { finished, views } = await recorded
  expect(finished).toBe(true)
  expect(views.v_quantities).toEqual({ rows: 200, complete: true })
  expect(views.v_formulas).toMatchObject({
    complete: false,
    missing: expect.stringContaining('No complete answer arrived within the client timeout'),
  })
  expect(said.join()).toContain('v_formulas: 0 rows, incomplete. No complete answer arrived')
})

test('a budget of time ends the run before a wait that would exceed it', async () => {
  const service = serviceOf({ v_quantities: quantities }, Infinity, (_, number) =>
    number === 2 ? status(429, { 'retry-after': '600' }) : undefined,
  )
  const recording = await start(service, { maxDurationMs: 300_000 })
  expect(recording.finished).toBe(false)
  expect(recording.views.v_formulas?.missing).toBe('The budget of 300 s is spent (--max-duration).')
  expect(service.sent.length).toBe(2)
})

test('the folder has every view of the contract, in whatever order they are read', async () => {
  const { views } = await start(serviceOf({}))
  expect(Object.keys(views).toSorted()).toEqual(contract.views.toSorted())
})

test('a short message of the service changes no letter of the reasons', async () => {
  const service = serviceOf(
    {},
    Infinity,
    () => new Response('{"data":[],"status":{"state":"error","message":"m"}}'),
  )
  const said: string[] = []
  const { views } = await start(service, { say: (line) => void said.push(line) })
  expect(views.v_quantities?.missing).toBe('The service could not execute the statement.')
  expect(said).toContain('The service says: m')
})

describe('a service that', () => {
  test('limits requests is asked again when Retry-After says so', async () => {
    const times: number[] = []
    const service = serviceOf({ v_quantities: quantities }, Infinity, (_, number) => {
      times.push(performance.now())
      return number === 2 ? status(429, { 'retry-after': '1' }) : undefined
    })
    expect((await start(service)).finished).toBe(true)
    expect(service.sent[2]).toBe(service.sent[1])
    expect(times[2]! - times[1]!).toBeGreaterThan(950)
  })

  test('asks to wait for a day ends the run with a sentence', async () => {
    const service = serviceOf({}, Infinity, () => status(503, { 'retry-after': '86400' }))
    await expect(start(service)).rejects.toThrow('start the recording again later')
    expect(service.sent.length).toBe(1)
  })

  test('answers 504 is asked for fewer rows, never for the same', async () => {
    const service = serviceOf({ v_quantities: quantities }, Infinity, (statement) =>
      Number(/LIMIT (\d+)/.exec(statement)![1]) > 30 ? status(504) : undefined,
    )
    const recording = await start(service)
    expect(recording.views.v_quantities).toEqual({ rows: 200, complete: true })
    expect(new Set(service.sent).size).toBe(service.sent.length)
  })

  test('renews the token in the middle is read on', async () => {
    const service = serviceOf({ v_quantities: quantities }, Infinity, (_, number) =>
      number === 2 ? status(401) : undefined,
    )
    let renewed = 0
    const renewToken = async () => `token-${++renewed}`
    expect((await start(service, { renewToken })).finished).toBe(true)
    expect(renewed).toBe(1)
  })

  test('caps its answers among rows of one time is read whole', async () => {
    const rows = quantities.map((row, n) => ({
      ...row,
      last_updated_at: quantity(Math.floor(n / 4))['last_updated_at'],
    }))
    const { views } = await start(serviceOf({ v_quantities: rows }, 10))
    expect(views.v_quantities).toEqual({ rows: 200, complete: true })
    expect(numbers()).toEqual(all)
  })

  test('caps its answers below the rows of one time has an incomplete view', async () => {
    const rows = quantities.map((row, n) => ({
      ...row,
      last_updated_at: quantity(Math.floor(n / 12))['last_updated_at'],
    }))
    const { views } = await start(serviceOf({ v_quantities: rows }, 10))
    expect(views.v_quantities).toMatchObject({
      complete: false,
      missing: expect.stringContaining('at one time'),
    })
  })

  test('withholds one view is recorded without it', async () => {
    const service = serviceOf({ v_quantities: quantities }, Infinity, (statement) =>
      statement.includes('v_formulas') ? status(403) : undefined,
    )
    const { finished, views } = await start(service)
    expect(finished).toBe(true)
    expect(views.v_formulas).toMatchObject({
      rows: 0,
      complete: false,
      missing: expect.stringContaining('403'),
    })
    expect(views.v_quantities).toMatchObject({ complete: true })
  })

  test('answers garbage has incomplete views, and the folder can be served', async () => {
    const service = serviceOf({ v_quantities: quantities }, Infinity, (statement) =>
      statement.includes('v_quantities') ? undefined : new Response('<html>gateway</html>'),
    )
    const { views } = await start(service)
    expect(views.v_timeseries).toMatchObject({
      rows: 0,
      complete: false,
      missing: expect.stringContaining('envelope'),
    })
    expect((await importDirectory(out)).rows.v_quantities).toBe(200)
  })

  test('repeats ids or breaks the contract loses those rows, which are counted', async () => {
    const said: string[] = []
    const rows = [quantity(1), quantity(1), { ...quantity(2), molar_mass: 'heavy' }, quantity(3)]
    const { views } = await start(serviceOf({ v_quantities: rows }), { say: (line) => void said.push(line) })
    expect(views.v_quantities).toEqual({
      rows: 2,
      complete: false,
      missing: '2 rows that serve --data would reject are left out.',
      leftOut: 2,
    })
    expect(said).toContain('v_quantities: left a row out. The service repeats its id.')
    expect(said.join()).toContain('molar_mass')
    expect((await importDirectory(out)).refused).toBe(0)
  })

  test('repeats ids in its messages is quoted on the terminal, not in the folder', async () => {
    const said: string[] = []
    const message = 'Error executing statement: no right to run-7 for jane'
    const service = serviceOf({ v_quantities: quantities }, Infinity, (statement) =>
      statement.includes('FROM v_quantities')
        ? new Response(JSON.stringify({ data: [], status: { state: 'error', message } }))
        : undefined,
    )
    await start(service, { say: (line) => void said.push(line) })
    const recording = readFileSync(join(out, 'recording.json'), 'utf8')
    expect(recording).toContain('could not execute the statement')
    expect(recording).not.toContain('jane')
    expect(said.filter((line) => line.includes(message))).toEqual([`The service says: ${message}`])
  })

  test.each([
    ['an error', 200, 'invalid'],
    ['the refusal of the token', 401, 'unknown'],
  ])('repeats the token and a key in %s has neither in messages and files', async (_, code, word) => {
    const said: string[] = []
    const [token, key] = ['tok-3f9a7c21b8e64d05', 'key-77aa88bb']
    const message = `${word} Bearer ${token} and ${key}`
    const service = serviceOf(
      {},
      Infinity,
      () => new Response(JSON.stringify({ data: [], status: { state: 'error', message } }), { status: code }),
    )
    const recorded = start(service, {
      token,
      headers: { 'x-api-key': key },
      say: (line) => void said.push(line),
    })
    await recorded.catch(({ message: reason }: Error) => void said.push(reason))
    const written = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))
    const state = existsSync(stateFile()) ? readFileSync(stateFile(), 'utf8') : ''
    expect(said.join()).toContain(`${word} Bearer [redacted] and [redacted]`)
    expect([...said, ...written, state].join()).not.toMatch(/3f9a7c21b8e64d05|77aa88bb/)
  })

  test('ignores LIMIT and WHERE does not end in an endless recording', async () => {
    const service = serviceOf({}, Infinity, (statement) =>
      statement.includes('v_quantities') ? envelope(quantities) : undefined,
    )
    const { views } = await start(service, { maxRows: 2000, undocumented: true })
    expect(views.v_quantities).toMatchObject({ rows: 200 })
    expect(service.sent.length).toBeLessThan(60)
  })
})

const changed = { ...quantity(500), id: 'q3' }

/** Answers ten rows at a time; at the twelfth request, row 3 changes. */
const changing = () => {
  const rows = [...quantities]
  return serviceOf({ v_quantities: rows }, 10, (_, number) => {
    if (number === 12) rows.push(...rows.splice(3, 1).map(() => changed))
    return undefined
  })
}

describe('a service whose rows change during the recording', () => {
  const afterwards = [...all.filter((n) => n !== 3), 500]

  test('has the newest row of each id, and nothing is missing', async () => {
    const said: string[] = []
    const { views } = await start(changing(), { say: (line) => void said.push(line) })
    expect(views.v_quantities).toEqual({ rows: 200, complete: true })
    expect(said.join()).not.toContain('left a row out')
    expect(numbers()).toEqual(afterwards)
    const { refused, rows } = await importDirectory(out)
    expect([refused, rows.v_quantities]).toEqual([0, 200])
  })

  test('has it too if the recording is interrupted before or after the change', async () => {
    const service = changing()
    const interrupting = (requests: number) => start(service, { maxRequests: requests })
    for (const requests of [14, 10, 9, 1000]) await interrupting(requests)
    expect(JSON.parse(readFileSync(join(out, 'recording.json'), 'utf8'))).toMatchObject({
      finished: true,
      views: { v_quantities: { rows: 200, complete: true } },
    })
    expect(numbers()).toEqual(afterwards)
  })

  test('keeps the first of two rows of one id in one answer, and counts the other', async () => {
    const service = serviceOf({ v_quantities: [quantity(3), changed, quantity(4)] })
    const { views } = await start(service)
    expect(views.v_quantities).toMatchObject({ rows: 2, complete: false, leftOut: 1 })
    expect(numbers()).toEqual([3, 4])
  })
})

/** A service with three quantities, of which the second has another JSON text in one column. */
const serviceWith = (column: string, json: string) =>
  serviceOf({}, Infinity, (statement) => {
    if (!statement.includes('FROM v_quantities')) return undefined
    const [first, second, third] = [1, 2, 3].map((n) => JSON.stringify(quantity(n)))
    const odd = second!.replace(new RegExp(`("${column}"):[^,]+`), (_, name: string) => `${name}:${json}`)
    return new Response(`{"data":[${first},${odd},${third}],"status":{"state":"success","message":"ok"}}`)
  })

describe('a row that is left out and counted, because serve --data would reject it,', () => {
  const members = Array.from({ length: 100_000 }, (_, n) => `"${'member-number-'.repeat(6)}${n}":${n}`)
  test.each([
    ['has a long text', 'notes', `"${'two words '.repeat(900_000)}"`, 'It has more than 8 MB.'],
    ['has many members', 'base_units', `{${members.join()}}`, 'It has more than 8 MB.'],
    [
      'has a number beyond double precision',
      'base_units',
      '{"a":[1e400]}',
      'a number beyond double precision',
    ],
    [
      'is nested deeply',
      'base_units',
      `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'more than 100 levels',
    ],
  ])('%s', async (_, column, json, reason) => {
    const said: string[] = []
    const { views } = await start(serviceWith(column, json), { say: (line) => void said.push(line) })
    expect(views.v_quantities).toMatchObject({ rows: 2, complete: false, leftOut: 1 })
    expect(said.join()).toContain(reason)
    expect((await importDirectory(out)).refused).toBe(0)
  })

  test('comes after as many rows as an import accepts', async () => {
    const said: string[] = []
    const service = serviceOf({ v_quantities: quantities }, 10)
    await start(service, { maxRequests: 10 })
    const state = JSON.parse(readFileSync(stateFile(), 'utf8')) as { views: { v_quantities: object } }
    const rows = limits.rows - 150
    const views = { ...state.views, v_timeseries_data: { rows, bytes: 0, ended: true, complete: true } }
    writeFileSync(stateFile(), JSON.stringify({ ...state, views }))
    const recording = await start(service, { say: (line) => void said.push(line) })
    expect(recording.views.v_quantities).toMatchObject({ rows: 150, complete: false, leftOut: 50 })
    expect(said.join()).toContain('The recording would have more than 3,000,000 rows.')
  })
})

const never = () => new Promise<never>(() => {})

test('a recording ends in time although a statement is never answered, a pause is long or a token does not come', async () => {
  const service = serviceOf({ v_quantities: quantities })
  const hanging = ((url: string, init?: RequestInit) =>
    String(init?.body).includes('v_formulas ')
      ? never()
      : service.fetch(url, init)) as typeof globalThis.fetch
  const ways = {
    answer: { fetch: hanging },
    pause: { pauseMs: 600_000 },
    token: { fetch: async () => status(401), renewToken: never },
  }
  const recordings = await Promise.all(
    Object.entries(ways).map(([name, options]) =>
      start(service, { out: join(folder, name), maxDurationMs: 2000, ...options }),
    ),
  )
  for (const { finished, views } of recordings) {
    expect(finished).toBe(false)
    expect(views.v_formulas?.missing).toBe('The budget of 2 s is spent (--max-duration).')
  }
})

describe('times in ISO 8601', () => {
  test.each([
    ['2025-03-01T08:12:00,5Z', '2025-03-01T08:12:00.5Z'],
    ['2025-03-01T08:12:00,5+02:00', '2025-03-01T08:12:00.5+02:00'],
    ['20250301T0812Z', '2025-03-01T08:12:00.000000+00:00'],
    ['2025-03-01T08Z', '2025-03-01T08:00:00.000000+00:00'],
    ['2025-03-01T08:12,5Z', '2025-03-01T08:12:30.000000+00:00'],
    ['2025-03-01T08:12:00+0530', '2025-03-01T08:12:00+0530'],
    ['2025-03-01T24:00Z', '2025-03-01T24:00Z'],
    ['2025-03-01 08:12:00 +00:00', '2025-03-01T08:12:00+00:00'],
  ])('%s is stored as %s, which can be served', async (printed, stored) => {
    const service = serviceOf({ v_quantities: [{ ...quantity(1), last_updated_at: printed }] })
    expect((await start(service)).views.v_quantities).toEqual({ rows: 1, complete: true })
    const { dataset, refused } = await importDirectory(out)
    expect(refused).toBe(0)
    expect([...dataset.rows('v_quantities')].map((row) => row.last_updated_at)).toEqual([stored])
  })
})

const stored = (view: string) =>
  readFileSync(join(out, `${view}.ndjson`), 'utf8')
    .trim()
    .split('\n')
const asStored: Sort = (rows) => rows
/** An order without a system, but the same in each test run. */
const random: Sort = (rows) => {
  const place = (row: object) =>
    createHash('sha1')
      .update(JSON.stringify([row, rows.length]))
      .digest('hex')
  return rows.toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
}

describe('pages by key', () => {
  const shuffled = quantities.map((_, n) => quantity((n * 77) % 200))
  const series = ['a', 'c', 'b'].flatMap((id) => Array.from({ length: 120 }, (_, n) => point(id, n)))
  test.each([
    ['in a random order', 'v_quantities', shuffled, random],
    ['as they are stored', 'v_quantities', shuffled, asStored],
    ['as they are stored, series by series', 'v_timeseries_data', series, asStored],
  ] as const)(
    'that are %s make the view incomplete, and no row is stored twice',
    async (_, view, rows, sort) => {
      const { views } = await start(orderingService(view, [...rows], sort), {
        undocumented: true,
        keepTexts: true,
      })
      expect(views[view]).toMatchObject({
        complete: false,
        missing: expect.stringContaining('accepts ORDER BY, but does not answer in that order'),
      })
      expect(new Set(stored(view)).size).toBe(stored(view).length)
    },
  )

  test.each([
    ['ids', 'v_quantities', shuffled],
    ['points', 'v_timeseries_data', series],
    ['UUIDs', 'v_quantities', shuffled.map((row, n) => ({ ...row, id: `${(n * 7919) % 1000}-A${n}-b` }))],
  ] as const)('in the order of the keys read all %s', async (_, view, rows) => {
    const { views } = await start(orderingService(view, [...rows]), {
      undocumented: true,
      keepTexts: true,
    })
    expect(views[view]).toEqual({ rows: rows.length, complete: true })
    expect(new Set(stored(view)).size).toBe(rows.length)
  })

  test('with times that are printed more coarsely than stored read all points', async () => {
    const fine = Array.from({ length: 120 }, (_, n) => point('a', n, Date.UTC(2025, 0, 1) + n * 400))
    const service = orderingService('v_timeseries_data', fine)
    const fetch = (async (url: string, init?: RequestInit) => {
      const text = await (await service.fetch(url, init)).text()
      return new Response(text.replaceAll(/(:\d\d)\.\d{3}Z/g, '$1Z'))
    }) as typeof globalThis.fetch
    const { views } = await start({ ...service, fetch }, { undocumented: true, keepTexts: true })
    expect(views.v_timeseries_data).toEqual({ rows: 120, complete: true })
    expect(new Set(stored('v_timeseries_data')).size).toBe(120)
  })

  test.each([
    ['by case', ['A', 'b', 'C'], true],
    ['of codes', ['A', 'C', 'b'], true],
    ['of numbers', ['2', '10', '11'], true],
    ['without punctuation', ['a-b', 'ab-c', 'a-d'], true],
    ['of no database', ['b', 'a', 'c'], false],
  ])('may be in an order %s', (_, ids, expected) => {
    const key = { columns: ['id'], isUnique: true }
    expect(
      ascends(
        key,
        ids.map((id) => [id]),
      ),
    ).toBe(expected)
  })
})

test('a service that refuses a token with 403 is asked with a new one, and one that withholds a view is not asked again', async () => {
  let [current, renewed] = [0, 0]
  const tokens: string[] = []
  const service = serviceOf({ v_quantities: quantities })
  const fetch = (async (url: string, init?: RequestInit) => {
    const token = new Headers(init?.headers).get('authorization')!
    tokens.push(token)
    if (tokens.length === 3) current = 1
    if (
      token !== (current === 0 ? 'Bearer secret' : 'Bearer token-1') ||
      String(init?.body).includes('v_formulas ')
    )
      return status(403)
    return service.fetch(url, init)
  }) as typeof globalThis.fetch
  const { views } = await start({ ...service, fetch }, { renewToken: async () => (renewed++, 'token-1') })
  expect(views.v_experiments).toMatchObject({ complete: true })
  expect(views.v_formulas).toMatchObject({ complete: false, missing: expect.stringContaining('403') })
  expect(tokens).toContain('Bearer token-1')
  expect(renewed).toBeLessThanOrEqual(3)
})

describe('a folder', () => {
  test('with other files is not touched', async () => {
    mkdirSync(out)
    writeFileSync(join(out, 'thesis.txt'), 'mine')
    await expect(start(serviceOf({}))).rejects.toThrow('holds thesis.txt, which is not of a recording')
    expect(readFileSync(join(out, 'thesis.txt'), 'utf8')).toBe('mine')
  })

  test('with a complete recording is not touched', async () => {
    await start(serviceOf({ v_quantities: quantities }))
    await expect(start(serviceOf({}))).rejects.toThrow('Name a new folder')
    expect(numbers()).toEqual(all)
  })

  test.each([
    ['of another service', { baseUrl: 'https://other.example' }, 'another base URL'],
    ['with texts', { keepTexts: true }, 'another treatment of texts'],
    ['with a key', { pseudonymKey: 'a key of the user' }, 'another pseudonym key'],
  ])('with an interrupted recording is not continued as one %s', async (_, options, message) => {
    await expect(start(serviceOf({}, Infinity, () => status(401)))).rejects.toThrow('rejects')
    await expect(start(serviceOf({}), options)).rejects.toThrow(message)
  })
})

test('two recordings with one key have the same pseudonyms', async () => {
  const pseudonymKey = 'a key of the user'
  const read = () => readFileSync(join(out, 'v_quantities.ndjson'), 'utf8')
  await start(serviceOf({ v_quantities: quantities }), { pseudonymKey })
  const first = read()
  expect(first).not.toContain('"q1"')
  out = join(folder, 'again')
  await start(serviceOf({ v_quantities: quantities }), { pseudonymKey })
  expect(read()).toBe(first)
  out = join(folder, 'other')
  await start(serviceOf({ v_quantities: quantities }))
  expect(read()).not.toBe(first)
})

test('the profile sets the spelling of dates and is written beside the rows', async () => {
  const service = serviceOf({ v_quantities: quantities }, 10)
  const profile = { contract: 'v1' as const, variants: { 'delta.literal': 'timestamp-keyword' } }
  await start(service, { observe: async () => ({ profile, requests: 5 }) })
  expect(JSON.parse(readFileSync(join(out, 'profile.json'), 'utf8'))).toEqual(profile)
  expect(service.sent.some((statement) => statement.includes("> TIMESTAMP '2025-01-01 00:0"))).toBe(true)
})

const refused = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
}

const triesOf = async (answers: number) => {
  rmSync(out, { recursive: true, force: true })
  const service = serviceOf({}, 10, (_, number) => (number > answers ? refused() : undefined))
  const recorded = start(service).catch((error: Error) => error.message)
  await vi.runAllTimersAsync()
  return [service.sent.length - answers, await recorded]
}

test('a service that never answers ends the recording after three tries, and one that has answered is awaited', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reason =
    'No answer from https://vendor.example (ECONNREFUSED). Check the base URL and that the service is reachable.'
  expect(await triesOf(0)).toEqual([3, `${reason} Tried 3 times; start the recording again later.`])
  rmSync(stateFile())
  expect(await triesOf(1)).toEqual([10, `${reason} Tried 10 times; start the recording again later.`])
})
