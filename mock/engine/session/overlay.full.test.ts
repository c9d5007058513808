import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createNodeEngine, type NodeEngine } from '../../node/pglite/index.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { isReader, jsonOf, rowsOf, smallPlant, smallSnapshot } from '../../node/pglite/plant.test-helper.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { type Overlay, type RowChange, SqlError, StatementRefused } from '../../statement.ts'
import { hiddenSchema } from '../views/roles.ts'
import { Session } from './session.ts'

const timeLimitMs = 30_000
let engine: NodeEngine
beforeAll(async () => {
  engine = await createNodeEngine({ dataset: smallPlant(9), maxWorkers: 1, timeLimitMs })
})
afterAll(() => engine.close())

async function read(statement: string, overlay?: Overlay, settings = defaultSettings) {
  const rows = await rowsOf(engine, statement, { settings, ...(overlay && { overlay }) })
  return rows as Record<string, unknown>[]
}

let overlays = 0
const overlayOf = (...changes: RowChange[]): Overlay => ({ id: `o${(overlays += 1)}`, changes })

const quantity = (id: string, name: string) => ({
  id,
  name,
  alternative_names: [],
  is_timeseries: true,
  data_type: 'numeric',
  default_unit: '',
  default_ingestion_unit: '',
  base_units: {},
  molar_mass: null,
  notes: null,
  last_updated_at: '2026-01-01T00:00:00Z',
})
const names = (overlay?: Overlay) =>
  read('SELECT name FROM v_quantities ORDER BY id', overlay).then((rows) => rows.map(({ name }) => name))
const plantNames = ['pH', 'a "quoted"\n\\ name', '温度']
const put = (...rows: object[]): RowChange => ({ view: 'v_quantities', put: rows, remove: [] })
const remove = (...ids: string[]): RowChange => ({
  view: 'v_quantities',
  put: [],
  remove: ids.map((id) => ({ id })),
})

const types = async (...given: Parameters<typeof read>) =>
  (await read(...given)).map(({ data_type }) => data_type)
const points = (overlay?: Overlay) =>
  read("SELECT value FROM v_timeseries_data WHERE id = 't0' ORDER BY timestamp", overlay)

/** The name of the quantity `own`. */
const own = (n: number, overlay?: Overlay) =>
  read(
    `SELECT q.name FROM v_quantities AS q WHERE q.id IN (SELECT id FROM v_quantities WHERE ${n} > 0) AND q.id = 'own' LIMIT 5`,
    overlay,
  )

test('no statement reads the rows of another session, and each sees its own in every spelling', async () => {
  const [own, other] = [overlayOf(put(quantity('own', 'mine'))), overlayOf(put(quantity('other', 'theirs')))]
  expect(await names(own)).toContain('mine')
  expect(await names(other)).toContain('theirs')
  const schemas = await Promise.all(
    [own, other].map((overlay) => read('SELECT current_user AS schema', overlay)),
  )
  const seen: unknown[] = []
  for (const { schema } of [
    ...schemas.flat(),
    { schema: 'public' },
    { schema: 'shared_views' },
    { schema: 'plant' },
  ])
    for (const relation of ['v_quantities', 'quantities', 'removed_quantities'])
      for (const overlay of [own, undefined])
        await read(`SELECT * FROM ${schema}.${relation}`, overlay).then(
          (rows) => seen.push(...rows.map(({ name }) => `${overlay ? 'own' : 'plant'} ${name}`)),
          (error: unknown) => expect(error).toBeInstanceOf(SqlError),
        )
  expect(seen).toContain('own mine')
  expect(seen.filter((name) => /theirs|plant mine/.test(String(name)))).toEqual([])
})

test('a view that is withheld, changed or has rows of the session is read in no other way', async () => {
  const session = await Session.open(await smallSnapshot(), await loadArtifacts())
  const overlay = overlayOf(put(quantity('own', 'mine')))
  await session.overlays.add(overlay)
  const shared = (view: string, variant = 'none') =>
    jsonOf(
      session,
      `SELECT count(*) FROM ${hiddenSchema}.${view}`,
      { ...defaultSettings, 'auth.permission': variant as 'none' },
      overlay.id,
    )
  for (const variant of ['view-hidden', '403', 'permission-denied'])
    await expect(shared('v_formula_results', variant)).rejects.toThrow(/does not exist|permission denied/)
  await expect(shared('v_experiments', 'rows-filtered')).rejects.toThrow('permission denied for view')
  await expect(shared('v_quantities')).rejects.toThrow('permission denied for view')
  expect(await shared('v_formula_results')).toBe('{"count":0}')
  expect(await read('SELECT count(*) FROM v_formula_results', overlay)).toEqual([{ count: 0 }])
})

describe('a statement with an overlay', () => {
  test('reads the rows of its own overlay, whichever overlay had the same statement before', async () => {
    const [a, b] = ['a', 'b'].map((name) => overlayOf(put(quantity('own', name))))
    for (const n of [1, 2]) {
      expect(await own(n, a)).toEqual([{ name: 'a' }])
      expect(await own(n, b)).toEqual([{ name: 'b' }])
      expect(await own(n)).toEqual([])
    }
  })

  test('that ran before sees the first rows of another view of its overlay', async () => {
    const experiment = {
      id: 'own',
      external_id: 'own',
      scheduled_start_timestamp: null,
      scheduled_end_timestamp: null,
      last_updated_at: '2026-01-01T00:00:00Z',
    }
    const first = overlayOf({ view: 'v_experiments', put: [experiment], remove: [] })
    for (const n of [1, 2, 3]) expect(await own(n, first)).toEqual([])
    const second = { ...first, changes: [...first.changes, put(quantity('own', 'a'))] }
    for (const n of [4, 5]) expect(await own(n, second)).toEqual([{ name: 'a' }])
  })

  test('may name a common table expression like a view', async () => {
    const overlay = overlayOf(put(quantity('own', 'a')))
    for (const n of [1, 2])
      expect(
        await read(
          `WITH v_quantities AS (SELECT '${n}' AS name) SELECT name FROM v_quantities LIMIT 1`,
          overlay,
        ),
      ).toEqual([{ name: `${n}` }])
  })

  test('sees its rows beside and in place of those of the plant, and others do not', async () => {
    const overlay = overlayOf(put(quantity('q1', 'changed'), quantity('q9', 'new')), remove('q2'))
    expect(await names(overlay)).toEqual(['pH', 'changed', 'new'])
    expect(await names()).toEqual(plantNames)
    expect(await names(overlayOf(remove('q0')))).toEqual(plantNames.slice(1))
    expect(await names(overlay)).toEqual(['pH', 'changed', 'new'])
  })

  test('sees changes that are added later', async () => {
    const first = overlayOf(put(quantity('q9', 'one')))
    expect(await names(first)).toContain('one')
    const second = { ...first, changes: [...first.changes, put(quantity('q9', 'two')), remove('q0')] }
    expect(await names(second)).toEqual([...plantNames.slice(1), 'two'])
    const third = { ...second, changes: [...second.changes, put(quantity('q0', 'back'))] }
    expect(await names(third)).toEqual(['back', ...plantNames.slice(1), 'two'])
  })

  test('sees points that are replaced one by one, and a series without its points', async () => {
    const before = await points()
    const timestamp = '2025-01-01T00:00:00.000003Z'
    const point = { id: 't0', timestamp, value: -1, data_item_id: null, last_updated_at: timestamp }
    const one = overlayOf({ view: 'v_timeseries_data', put: [point], remove: [] })
    expect(await points(one)).toEqual([before[0], { value: -1 }, before[2]])
    const none = {
      ...one,
      changes: [...one.changes, { view: 'v_timeseries_data' as const, put: [], remove: [{ id: 't0' }] }],
    }
    expect(await points(none)).toEqual([])
    expect(await points()).toEqual(before)
  })

  test('joins views of the overlay with views of the plant', async () => {
    const overlay = overlayOf(put(quantity('t1', 'series')))
    const join =
      'SELECT q.name, d.value FROM v_timeseries_data d LEFT JOIN v_quantities q ON d.id = q.id ORDER BY d.timestamp LIMIT 2'
    expect(await read(join, overlay)).toEqual([
      { name: null, value: 0 },
      { name: 'series', value: 1 / 7 },
    ])
    expect(await read(join)).toEqual([
      { name: null, value: 0 },
      { name: null, value: 1 / 7 },
    ])
  })

  test('has the variants of its settings, in views of the overlay and of the plant', async () => {
    const overlay = overlayOf(put(quantity('q9', 'new')))
    const settings = { ...defaultSettings, 'quantities.data-type': 'upper-case' } as const
    const statement = 'SELECT DISTINCT data_type FROM v_quantities'
    const changed = await types(statement, undefined, settings)
    expect(await types(statement, overlay, settings)).toEqual(changed)
    expect(await types(statement, overlay)).toEqual(['numeric'])
    expect(await names(overlay)).toEqual([...plantNames, 'new'])
    const points = overlayOf({ view: 'v_timeseries_data', put: [], remove: [{ id: 't0' }] })
    expect(await types(statement, points, settings)).toEqual(changed)
    expect(await types(statement, points)).toEqual(['numeric'])
  })

  test('has the variants that read other views, with the rows of the overlay', async () => {
    const settings = { ...defaultSettings, 'statistics.count': 'all' } as const
    const time = '2025-01-01T00:00:00Z'
    const series = {
      id: 'own',
      bioprocess_id: 'b',
      quantity_id: 'q0',
      unit: '',
      statistics: { count: 9 },
      start_timestamp: time,
      end_timestamp: time,
      duration_ms: 0,
      last_updated_at: time,
    }
    const pointAt = (timestamp: string) => ({
      id: 'own',
      timestamp,
      value: null,
      data_item_id: null,
      last_updated_at: time,
    })
    const counted = async (overlay: Overlay) =>
      (await read("SELECT statistics FROM v_timeseries WHERE id = 'own'", overlay, settings))[0]![
        'statistics'
      ]
    const without = overlayOf({ view: 'v_timeseries', put: [series], remove: [] })
    expect(await counted(without)).toEqual({ count: 0 })
    const points = [pointAt(time), pointAt('2025-01-01T00:00:01Z')]
    const change = { view: 'v_timeseries_data' as const, put: points, remove: [] }
    expect(await counted({ ...without, changes: [...without.changes, change] })).toEqual({ count: 2 })
  })

  test('is refused if it names a schema, because that would show the rows of the plant', async () => {
    const overlay = overlayOf(remove('q0'))
    await expect(read('SELECT * FROM public.v_quantities', overlay)).rejects.toThrow(StatementRefused)
    await expect(
      read('SELECT (SELECT count(*) FROM public.v_quantities) FROM v_quantities', overlay),
    ).rejects.toThrow('Nothing of the schema public is available. Write the names of views without a schema,')
    expect(await read('SELECT count(*) FROM public.v_quantities')).toEqual([{ count: 3 }])
  })

  test('fails if the database refuses the rows; other statements do not', async () => {
    const overlay = overlayOf(put({ ...quantity('q9', 'x'), last_updated_at: 'yesterday-ish' }))
    const failure = await names(overlay).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SqlError)
    expect(failure).toMatchObject({ sqlState: '22007' })
    expect(await names()).toEqual(plantNames)
    expect(engine.status().ended).toEqual({})
  })
})

/** The rows of a statement, from an engine that may have to start first: a statement waits at most 5 s for the only one. */
const readPatiently = (statement: string, overlay: Overlay) =>
  vi.waitFor(() => rowsOf(engine, statement, { overlay }), { timeout: 60_000, interval: 100 })

test('more overlays than an engine holds take turns', async () => {
  const all = Array.from({ length: 66 }, (_, n) => overlayOf(put(quantity('q9', `name ${n}`))))
  for (const [n, overlay] of [...all.entries(), ...[...all.entries()].slice(0, 4)])
    expect(await rowsOf(engine, "SELECT name FROM v_quantities WHERE id = 'q9'", { overlay })).toEqual([
      { name: `name ${n}` },
    ])
})

test('the time limit of a statement counts the rows that an engine gets before it, which the next one finds', async () => {
  const many = Array.from({ length: 40_000 }, (_, n) => quantity(`own-${n}`, 'own'))
  const overlay = overlayOf(put(...many.slice(0, 20_000)), put(...many.slice(20_000)))
  const { ended } = engine.status()
  const count = "SELECT count(*) FROM v_quantities WHERE name = 'own'"
  await expect(rowsOf(engine, count, { overlay, limitShiftMs: 10 - timeLimitMs })).rejects.toThrow(
    'The statement ran longer than',
  )
  expect(await readPatiently(count, overlay)).toEqual([{ count: 40_000 }])
  expect(engine.status().ended).toEqual(ended)
})

test('an engine that replaces another one gets the overlays again', async () => {
  const overlay = overlayOf(put(quantity('q9', 'kept')))
  const name = "SELECT name FROM v_quantities WHERE id = 'q9' LIMIT 1"
  expect(await rowsOf(engine, name, { overlay })).toEqual([{ name: 'kept' }])
  const { ended } = engine.status()
  await expect(
    rowsOf(engine, 'SELECT pg_sleep(60)', { overlay, limitShiftMs: 1000 - timeLimitMs }),
  ).rejects.toThrow('ran longer')
  expect(await readPatiently(name, overlay)).toEqual([{ name: 'kept' }])
  expect(engine.status().ended).not.toEqual(ended)
})

test('after any changes, the rows are those of a list with the same changes', async () => {
  const id = fc.constantFrom('q0', 'q1', 'q2', 'q3', 'q4')
  const change = fc.oneof(
    fc.record({ put: fc.uniqueArray(id, { minLength: 1 }), name: fc.string({ unit: 'grapheme' }) }),
    fc.record({ remove: fc.uniqueArray(id, { minLength: 1 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
      const rows = new Map(plantNames.map((name, n) => [`q${n}`, name]))
      const made: RowChange[] = []
      for (const one of changes) {
        if ('put' in one) {
          const name = one.name.replaceAll('\0', '')
          for (const key of one.put) rows.set(key, name)
          made.push(put(...one.put.map((key) => quantity(key, name))))
        } else {
          for (const key of one.remove) rows.delete(key)
          made.push(remove(...one.remove))
        }
      }
      const expected = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name)
      expect(await names(overlayOf(...made))).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})

test('a session with overlays runs statements as the reader, which cannot write', async () => {
  const session = await Session.open(await smallSnapshot(), await loadArtifacts())
  const count = () => jsonOf(session, 'SELECT count(*) FROM v_quantities')
  const before = await count()
  await session.overlays.add(overlayOf(put(quantity('q9', 'x'))))
  expect(await isReader(session)).toBe(true)
  expect(await session.attempt("INSERT INTO public.v_archived_records VALUES ('x', 'x', now())")).toBe(
    '42501',
  )
  await session.overlays.add(overlayOf(put({ ...quantity('q9', 'x'), last_updated_at: 'never' })))
  expect(await isReader(session)).toBe(true)
  expect(await count()).toBe(before)
})
