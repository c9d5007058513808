import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Delta } from './deltas.ts'
import { ClientUsageError } from '../errors.ts'
import { at, plant, type PlantOptions, type Stored } from '../plant.test-helper.ts'
import { clientOf, rejection, rows } from '../service.test-helper.ts'

/** Printed times of services that store more digits than they print. */
const millis = (text: string) => text.replace(/(\.\d{3})\d*/, '$1')
const seconds = (text: string) => text.replace(/\.\d*/, '')

function load(stored: Stored[], options: PlantOptions = {}) {
  const { client, statements } = clientOf(plant(stored, options))
  return { client, statements }
}

const numbersAsBigints = (text: string) =>
  JSON.parse(text, (_, value: unknown) => (typeof value === 'number' ? BigInt(value) : value)) as unknown

const ids = (deltas: readonly Delta<{ id: string }>[]) => deltas.map(({ rows }) => rows.map(({ id }) => id))

async function all<T>(deltas: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const delta of deltas) found.push(delta)
  return found
}

/** Polls a plant; one step changes it before each read after the first. */
async function follow(
  stored: Stored[],
  steps: (() => void)[],
  options: PlantOptions = {},
  overlapMs = 10_000,
) {
  const stop = new AbortController()
  const answer = plant(stored, options)
  const { client, statements } = clientOf((statement, n) => {
    if (n > 1) steps[n - 2]?.()
    if (n > steps.length + 1) stop.abort()
    return answer(statement)
  })
  const found: Delta<{ id: string; external_id: string }>[] = []
  const deltas = client.deltas('v_experiments', { pollMs: 0, overlapMs, signal: stop.signal })
  const end = await rejection(
    (async () => {
      for await (const delta of deltas) found.push(delta)
    })(),
  )
  expect(end).toMatchObject({ name: 'AbortError' })
  return { found, statements: statements() }
}

describe('a load of changes', () => {
  test('sends one documented statement and yields all rows oldest first with the newest time as cursor', async () => {
    const { client, statements } = load([
      { id: 'c', stored: at(3) },
      { id: 'a', stored: at(1) },
      { id: 'b', stored: at(2.000001) },
      { id: 'd', stored: at(2) },
    ])
    const found = await all(client.deltas('v_experiments'))
    expect(ids(found)).toEqual([['a', 'd', 'b', 'c']])
    expect(found[0]!.cursor).toBe('2025-12-01T08:00:03.000000+00:00')
    expect(found[0]!.rows[0]).toMatchObject({ scheduled_start_timestamp: null })
    expect(statements()).toEqual(['SELECT * FROM v_experiments'])
  })

  test('goes back by the overlap in the format of the cursor', async () => {
    const { client, statements } = load([{ id: 'a', stored: at(0) }])
    await all(client.deltas('v_experiments', { since: '2025-12-01T10:00:00.123456+02:00' }))
    await all(client.deltas('v_experiments', { since: '2025-12-01T10:00:00.123456+02:00', overlapMs: 0 }))
    await all(
      client.deltas('v_experiments', { since: new Date('2025-12-01'), columns: ['external_id', 'id'] }),
    )
    expect(statements()).toEqual([
      "SELECT * FROM v_experiments WHERE last_updated_at > '2025-12-01T09:59:00.123456+02:00'",
      "SELECT * FROM v_experiments WHERE last_updated_at > '2025-12-01T10:00:00.123456+02:00'",
      "SELECT id, last_updated_at, external_id FROM v_experiments WHERE last_updated_at > '2025-11-30T23:59:00.000Z'",
    ])
  })

  test('yields nothing without changes', async () => {
    expect(await all(load([]).client.deltas('v_experiments'))).toEqual([])
  })

  test('compares microseconds and zones', async () => {
    const { client } = load([
      { id: 'b', stored: '2025-12-01T10:00:00.000002+02:00' },
      { id: 'a', stored: '2025-12-01T08:00:00.000001Z' },
    ])
    const [delta] = await all(client.deltas('v_experiments'))
    expect([ids([delta!]), delta!.cursor]).toEqual([[['a', 'b']], '2025-12-01T10:00:00.000002+02:00'])
  })

  test('reads v_archived_records completely and filters in the client', async () => {
    const times = [at(1), at(2), at(90), at(90.000001)]
    const archived = times.map((archived_at, n) => ({
      record_id: `r${n}`,
      table_name: 'timeseries',
      archived_at,
    }))
    const { client, statements } = clientOf(() => rows(archived))
    const found = await all(client.deltas('v_archived_records', { since: at(90), overlapMs: 1000 }))
    expect(found.map(({ rows }) => rows.map(({ record_id }) => record_id))).toEqual([['r2', 'r3']])
    expect(found[0]!.cursor).toBe(at(90.000001))
    expect(statements()).toEqual(['SELECT * FROM v_archived_records'])
  })

  test('keeps equal points of v_timeseries_data', async () => {
    const point = { id: 't', timestamp: at(0), value: 1, data_item_id: null, last_updated_at: at(1) }
    const { client } = clientOf(() => rows([point, point, { ...point, value: 2 }]))
    const [delta] = await all(client.deltas('v_timeseries_data'))
    expect(delta!.rows).toHaveLength(3)
  })

  test('accepts bigints of another parser', async () => {
    const row = { id: 'a', external_id: 'x', tenant: 1, last_updated_at: at(1) }
    const { client } = clientOf(() => rows([row]), { parse: numbersAsBigints })
    const [delta] = await all(client.deltas('v_experiments'))
    expect(delta!.rows[0]).toMatchObject({ tenant: 1n })
  })

  test.each([null, 1764576000, 'yesterday', '2025-12-01 08:00:00'])(
    'rejects the time of change %j',
    async (last_updated_at) => {
      const { client } = clientOf(() => rows([{ id: 'a', external_id: 'x', last_updated_at }]))
      expect(await rejection(all(client.deltas('v_experiments')))).toMatchObject({
        name: 'UnexpectedAnswer',
        message: expect.stringContaining('not a timestamp in ISO 8601'),
      })
    },
  )
})

describe('a polling load of changes', () => {
  test('yields later rows with the time of the cursor once', async () => {
    const stored = [{ id: 'a', stored: at(5) }]
    const { found } = await follow(stored, [() => stored.push({ id: 'b', stored: at(5) }), () => {}])
    expect(ids(found)).toEqual([['a'], ['b']])
    expect(found.map(({ cursor }) => cursor)).toEqual([at(5), at(5)])
  })

  test('yields late rows with an older time and keeps its cursor', async () => {
    const stored = [{ id: 'a', stored: at(30) }]
    const { found, statements } = await follow(stored, [
      () => stored.push({ id: 'late', stored: at(21) }),
      () => stored.push({ id: 'too late', stored: at(19) }),
    ])
    expect(ids(found)).toEqual([['a'], ['late']])
    expect(found.at(-1)!.cursor).toBe(at(30))
    expect(statements.slice(1).every((text) => text.endsWith(`> '${at(20)}'`))).toBe(true)
  })

  test.each([
    ['microseconds', (text: string) => text],
    ['milliseconds', millis],
    ['seconds', seconds],
  ])('yields a row again that changed within one printed time of %s', async (_, print) => {
    const stored: Stored[] = [{ id: 'a', stored: at(5), value: 1 }]
    const { found } = await follow(
      stored,
      [() => (stored[0] = { id: 'a', stored: at(5.000001), value: 2 }), () => {}, () => {}],
      { print },
    )
    expect(found.map(({ rows }) => rows.map((row) => row.external_id))).toEqual([['x1'], ['x2']])
  })

  test('yields rows with shortened times only once without an overlap', async () => {
    const stored = [{ id: 'a', stored: at(5.123456) }]
    const { found } = await follow(
      stored,
      [() => {}, () => stored.push({ id: 'b', stored: at(6) }), () => {}],
      { print: seconds },
      0,
    )
    expect(ids(found)).toEqual([['a'], ['b']])
  })
})

/** Writes with their time and their delay until they are visible, at most 8 s. */
const histories = fc.array(
  fc.record({
    id: fc.constantFrom(...'abcdef'),
    seconds: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(10.000001, 10.000002, 10.1, 20.5)),
    lateness: fc.integer({ min: 0, max: 8 }),
  }),
  { maxLength: 40 },
)

/**
 * The overlap has more rows than one answer. A client that leaves every loop at its first batch reads the same page again
 * and again; its cursor stays before row `b`, and a read to the end returns the row.
 */
const overlapLongerThanPage = [
  { id: 'f', seconds: 10.000001, lateness: 8 },
  { id: 'b', seconds: 20.5, lateness: 3 },
  { id: 'd', seconds: 10.000001, lateness: 1 },
  { id: 'a', seconds: 23, lateness: 6 },
  { id: 'e', seconds: 11, lateness: 3 },
  { id: 'c', seconds: 10.000002, lateness: 0 },
]
const stopAlways = Array.from({ length: 50 }, () => true)

describe('whatever is written, in whatever order it shows, stops after any batches and a last read to the end', () => {
  test.each([
    ['everything at once', undefined, undefined],
    ['pages of 3', 'keyset', undefined],
    ['pages of 50 that the service truncates to 4', 'keyset', 4],
  ] as const)('misses no row when it reads %s', async (_, paging, cap) => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        cap ? fc.constant(undefined) : fc.constantFrom(undefined, millis, seconds),
        fc.array(fc.boolean(), { maxLength: 50 }),
        async (history, print, stops) => {
          // each write is a new row: no client can see an update that is overwritten before a read
          const writes = history.map((write, n) => ({ ...write, id: `${write.id}${n}` }))
          const stored: Stored[] = []
          const { client } = clientOf(plant(stored, { ...(print && { print }), ...(cap && { cap }) }))
          const kept = new Map<string, string>()
          let cursor: string | undefined
          const pageSize = cap || print ? 50 : 3
          const read = () =>
            client.deltas('v_experiments', {
              ...(cursor && { since: cursor }),
              overlapMs: 12_000,
              ...(paging && { paging, pageSize }),
            })
          let batches = 0
          for (let now = 0; now <= 50; now += 5) {
            for (const { id, seconds, lateness } of writes) {
              const shows = Math.ceil(seconds) + lateness
              if (shows > now - 5 && shows <= now) stored.push({ id, stored: at(seconds) })
            }
            for await (const delta of read()) {
              const before = cursor
              for (const row of delta.rows) kept.set(row.id, row.last_updated_at)
              cursor = delta.cursor
              expect(before === undefined || before.localeCompare(cursor) <= 0).toBe(true)
              if (stops[batches++]) break
            }
          }
          for await (const delta of read())
            for (const row of delta.rows) kept.set(row.id, row.last_updated_at)
          expect([...kept.keys()].sort()).toEqual(writes.map(({ id }) => id).sort())
        },
      ),
      { numRuns: 50, examples: [[overlapLongerThanPage, undefined, stopAlways]] },
    )
  })
})

describe('keyset paging', () => {
  const many = Array.from({ length: 10 }, (_, n) => ({ id: `r${n}`, stored: at(n < 7 ? 5 : n) }))

  test('starts each page with the last row of the previous page', async () => {
    const { client, statements } = load(many)
    const found = await all(
      client.deltas('v_experiments', { paging: 'keyset', pageSize: 3, since: at(4), overlapMs: 0 }),
    )
    expect(ids(found).flat()).toEqual(many.map(({ id }) => id))
    expect(statements()[0]).toBe(
      `SELECT * FROM v_experiments WHERE last_updated_at >= '${at(4)}' ORDER BY last_updated_at, id LIMIT 3`,
    )
    expect(statements()[1]).toBe(
      `SELECT * FROM v_experiments WHERE (last_updated_at, id) >= ('${at(5)}', 'r2') ORDER BY last_updated_at, id LIMIT 3`,
    )
  })

  test('misses no row after a stop between rows of one time, even without an overlap', async () => {
    const { client } = load(many)
    const options = { paging: 'keyset', pageSize: 3, overlapMs: 0 } as const
    const first = await client.deltas('v_experiments', options).next()
    const { rows, cursor } = first.value as Delta<{ id: string }>
    const rest = await all(client.deltas('v_experiments', { ...options, since: cursor }))
    expect(new Set([...rows.map(({ id }) => id), ...ids(rest).flat()]).size).toBe(10)
  })

  test('refuses pages of one row before it sends a statement', async () => {
    const { client, statements } = load([{ id: 'r1', stored: at(1) }])
    const error = await rejection(all(client.deltas('v_experiments', { paging: 'keyset', pageSize: 1 })))
    expect((error as Error).message).toContain('Give at least 2')
    expect(statements()).toEqual([])
  })

  test('rejects a page whose rows all have the same printed time', async () => {
    const stored = Array.from({ length: 9 }, (_, n) => ({ id: `r${n}`, stored: at(5 + (n + 1) / 1e6) }))
    const { client } = load(stored, { print: millis })
    const error = await rejection(all(client.deltas('v_experiments', { paging: 'keyset', pageSize: 4 })))
    expect(error).toBeInstanceOf(ClientUsageError)
    expect((error as Error).message).toContain('Give a larger pageSize')
  })

  test('escapes quotes in ids', async () => {
    const { client, statements } = load([{ id: "o'k", stored: at(1) }])
    await all(client.deltas('v_experiments', { paging: 'keyset', pageSize: 2 }))
    expect(statements()[1]).toContain(`(last_updated_at, id) >= ('${at(1)}', 'o''k')`)
  })
})
