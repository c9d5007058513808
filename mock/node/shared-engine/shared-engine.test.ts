import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { hour } from '../../../base/time/micros.ts'
import { lastHour } from '../../../fixtures/default-plant.ts'
import { followPlant } from '../../../fixtures/index.ts'
import { rowChanges } from '../../engine/views/change.ts'
import { checkedOptions } from '../../msw/options.ts'
import { type Overlay, SqlError, StatementRefused, StatementTimeout } from '../../statement.ts'
import { connectEngine } from './connect.ts'
import { createNodeEngine } from '../pglite/index.ts'
import { prepare, setup, teardown } from '../../msw/global-setup.ts'
import { addressVariable } from './messages.ts'
import { serveEngines } from './serve.ts'

vi.mock('../pglite/index.ts', { spy: true })

// a busy machine may need more than a second
const options = { seed: 1, scale: 0.01, timeLimitMs: 20_000 }
const { signal } = new AbortController()

beforeAll(setup)
afterAll(teardown)

const engineOf = async (given = options) => (await connectEngine(given))!

async function read(statement: string, engine = engineOf(), told: { now?: number } = {}) {
  const { chunks, columns } = await (await engine).execute(statement, { signal, ...told })
  let text = ''
  for await (const chunk of chunks) text += new TextDecoder().decode(chunk)
  return { rows: JSON.parse(`[${text}]`) as Record<string, unknown>[], columns }
}

describe('the shared engine of a test run', () => {
  test('answers statements with their columns', async () => {
    const { rows, columns } = await read('SELECT 1 AS one, $$ü$$ AS two')
    expect(rows).toEqual([{ one: 1, two: 'ü' }])
    expect(columns).toEqual(['one', 'two'])
  })

  test('answers several statements at once', async () => {
    const engine = engineOf()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => read(`SELECT ${n} AS n, repeat('x', 100000) AS long`, engine)),
    )
    expect(answers.map(({ rows }) => rows[0]!['n'])).toEqual(Array.from({ length: 20 }, (_, n) => n))
  })

  test('tells each statement its time', async () => {
    const engine = engineOf()
    const years = Array.from({ length: 8 }, (_, n) => 1990 + n)
    const told = years.map((year) =>
      read('SELECT extract(year FROM now()) AS year', engine, { now: Date.UTC(year, 5) * 1000 }),
    )
    expect((await Promise.all(told)).map(({ rows }) => rows[0]!['year'])).toEqual(years)
  })

  test('streams a large result', async () => {
    const { rows } = await read('SELECT * FROM v_timeseries_data', engineOf())
    expect(rows.length).toBeGreaterThan(5000)
  })

  test('ends a statement whose rows are not read', async () => {
    const engine = await engineOf()
    const { chunks } = await engine.execute('SELECT a.* FROM v_timeseries_data a, v_quantities b', { signal })
    for await (const _ of chunks) break
    expect((await read('SELECT 1 AS one', Promise.resolve(engine))).rows).toEqual([{ one: 1 }])
  })

  test.each([
    ['DELETE FROM v_formulas', StatementRefused, { kind: 'other' }],
    ['SELECT * FROM v_unknown', SqlError, { kind: 'unknown-relation', relation: 'v_unknown' }],
    ['SELECT 1/0', SqlError, { sqlState: '22012', position: 0, hint: '' }],
    [
      'SELECT nam FROM v_formulas',
      SqlError,
      { position: 8, hint: expect.stringContaining('v_formulas.name') },
    ],
    ['SELECT pg_sleep(60)', StatementTimeout, { limitMs: 1_000 }],
  ])('passes the error of %s on', async (statement, type, properties) => {
    const failure = await read(statement, engineOf({ ...options, timeLimitMs: 1_000 })).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(type)
    expect(failure).toMatchObject(properties)
  })

  test('rejects with the reason of a client that leaves', async () => {
    const client = new AbortController()
    const asked = (await engineOf()).execute('SELECT pg_sleep(60)', { signal: client.signal })
    setTimeout(() => client.abort(new Error('gone')), 50)
    await expect(asked).rejects.toThrow('gone')
  })

  test('has an engine for each plant', async () => {
    const other = await read('SELECT id FROM v_experiments', engineOf({ ...options, seed: 2 }))
    expect(other.rows).not.toEqual((await read('SELECT id FROM v_experiments', engineOf())).rows)
  })

  test('reads no long request of a process that does not know its key', async () => {
    const socket = connect(Number(process.env[addressVariable]!.split(':')[0]), '127.0.0.1')
    const lengths = Buffer.alloc(8)
    lengths.writeUInt32BE(2 ** 31, 4)
    socket.write(lengths)
    await once(socket, 'close')
    expect(socket.bytesRead).toBe(0)
  })

  test('is not used without its key, or once it has ended', async () => {
    const address = process.env[addressVariable]!
    process.env[addressVariable] = `${address.split(':')[0]}:wrong`
    expect(await connectEngine(options)).toBeUndefined()
    const ended = await serveEngines()
    await ended.close()
    process.env[addressVariable] = ended.address
    expect(await connectEngine(options)).toBeUndefined()
    delete process.env[addressVariable]
    expect(await connectEngine(options)).toBeUndefined()
    process.env[addressVariable] = address
  })
})

test('two processes put rows into overlays of their own, and each change is sent once', async () => {
  const row = { record_id: 'own', table_name: 'bioprocesses', archived_at: '2026-01-01T00:00:00Z' }
  const count = "SELECT count(*) AS n FROM v_archived_records WHERE record_id = 'own'"
  const put = (id: string): Overlay => ({
    id,
    changes: [{ view: 'v_archived_records', put: [row], remove: [] }],
  })
  const [one, two] = [await engineOf(), await engineOf()]
  const countOf = async (engine: typeof one, overlay?: Overlay) => {
    const { chunks } = await engine.execute(count, { signal, ...(overlay && { overlay }) })
    return new TextDecoder().decode((chunks as Uint8Array[])[0])
  }
  const overlay = put('first')
  expect(await Promise.all([1, 2, 3].map(() => countOf(one, overlay)))).toEqual(Array(3).fill('{"n":1}'))
  expect(await countOf(two)).toBe('{"n":0}')
  expect(await countOf(two, { ...put('second'), changes: [] })).toBe('{"n":0}')
  const removed = { view: 'v_archived_records' as const, put: [], remove: [{ record_id: 'own' }] }
  expect(await countOf(one, { ...overlay, changes: [...overlay.changes, removed] })).toBe('{"n":0}')
  expect(await countOf(two, put('third'))).toBe('{"n":1}')
})

test('a change of more than 8 MiB arrives, also as the first message of a connection', async () => {
  const put = Array.from({ length: 9 }, (_, n) => ({
    record_id: `${n}`.repeat(1 << 20),
    table_name: 'bioprocesses',
    archived_at: '2026-01-01T00:00:00Z',
  }))
  const overlay: Overlay = { id: 'large', changes: [{ view: 'v_archived_records', put, remove: [] }] }
  const engine = await engineOf()
  const ask = () =>
    engine.execute('SELECT count(*) AS n FROM v_archived_records WHERE length(record_id) > 1000', {
      signal,
      overlay,
    })
  const answers = await Promise.all([ask(), ask()])
  for (const { chunks } of answers)
    expect(new TextDecoder().decode((chunks as Uint8Array[])[0])).toBe('{"n":9}')
})

test('the changes of a plant are those that it computes in this process', async () => {
  const history = followPlant({ scale: 0.01 })
  const span = [history.asOf, history.asOf + 12 * hour] as const
  expect(await (await engineOf()).changes(...span)).toEqual(rowChanges(history.changes(...span)))
  await expect((await engineOf()).changes(span[1], span[0])).rejects.toThrow('Cannot move')
})

describe('the global setup', () => {
  afterEach(() => void vi.useRealTimers())

  test('starts the engine of a mock with the same options, whatever their order', async () => {
    const mock = { runs: 3, seed: 5, asOf: 'now', timeLimitMs: 2_000 }
    await prepare(mock)
    const started = vi.mocked(createNodeEngine).mock.calls.length
    const { plant, timeLimitMs } = checkedOptions({ asOf: 'now', timeLimitMs: 2_000, seed: 5, runs: 3 })
    const { rows } = await read('SELECT 1 AS one', engineOf({ ...plant, timeLimitMs }))
    expect(rows).toEqual([{ one: 1 }])
    expect(vi.mocked(createNodeEngine).mock.calls.length).toBe(started)
  })

  test('refuses what createMock refuses', async () => {
    await expect(prepare({ scale: 0 })).rejects.toThrow('Give a number from 0.01 to 100')
    await expect(prepare({ sed: 2 } as never)).rejects.toThrow('sed')
  })

  test('keeps its hour for all files of the run, for an hour more', () => {
    const [begun, now] = [lastHour(), { asOf: 'now' }]
    for (const [hours, asOf] of [
      [0, begun],
      [1, begun],
      [2, lastHour(Date.now() + 2 * 3_600_000)],
    ] as const) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
      expect(checkedOptions(now).plant.asOf).toBe(asOf)
      vi.useRealTimers()
    }
  })
})
