import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDataset, followPlant } from '../../../fixtures/index.ts'
import { hour, iso, type Micros } from '../../../base/time/micros.ts'
import { views } from '../../../schemas/index.ts'
import { changeSteps } from '../../engine/views/change.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { type EngineSettings, StatementTimeout } from '../../statement.ts'
import { selfTest } from '../../engine/session/self-test.ts'
import { Session } from '../../engine/session/session.ts'
import { SessionPoisoned } from '../../engine/session/database.ts'
import { buildSnapshot } from '../../engine/snapshot/build.ts'
import { loadArtifacts } from './artifacts.ts'
import { defaultCacheDirectory } from './snapshot/cache-directory.ts'
import { createNodeEngine, type NodeEngine } from './index.ts'
import { isReader, jsonOf, rowsOf } from './plant.test-helper.ts'
import { cachedSnapshot } from './snapshot/snapshot-cache.ts'
import { snapshotKey } from './snapshot/snapshot-key.ts'

/** The plant of other tests, whose snapshot is cached. */
const plant = { seed: 1, scale: 0.01, asOf: '2026-01-01T00:00:00Z' }
const history = followPlant(plant)
const { asOf } = history

const sorted = (rows: Iterable<unknown>) => [...rows].map((row) => JSON.stringify(row)).toSorted()

/** Compares all rows, as concurrent clients get them, with those of the fixtures. */
async function expectPlantAt(
  now: Micros,
  select: (statement: string) => Promise<unknown[]>,
  clients = 1,
): Promise<void> {
  const dataset = createDataset({ ...plant, now: iso(now) })
  for (const { name, columns } of views) {
    const expected = sorted([...(dataset.rows(name) as Iterable<object>)].map(ordered))
    // jsonb changes the order of keys
    const list = columns.map((column) => column.name).join(', ')
    const ask = () => select(`SELECT ${list} FROM ${name}`)
    for (const rows of await Promise.all(Array.from({ length: clients }, ask))) {
      expect(rows.length, name).toBe(expected.length)
      expect(sorted(rows.map(ordered)), name).toEqual(expected)
    }
  }
}

/** A value with sorted keys in all objects. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => [key, ordered(one)])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

describe('a live plant', () => {
  let engine: NodeEngine
  let now = asOf
  const log: string[] = []
  const select = (statement: string) => rowsOf(engine, statement)
  const until = (time: Micros) => {
    now = time
    return vi.waitFor(() => expect(engine.plantTime()).toBe(iso(time)), { timeout: 30_000, interval: 10 })
  }

  beforeAll(async () => {
    const live = { clock: () => now, intervalMs: 10 }
    engine = await createNodeEngine({ ...plant, live, timeLimitMs: 10_000, log: (line) => log.push(line) })
  })
  afterAll(() => engine.close())

  test('starts at asOf', () => {
    expect(engine.plantTime()).toBe(iso(asOf))
  })

  test('has the rows of its time', async () => {
    for (const hours of [0.01, 1, 1.25, 30]) await until(asOf + hours * hour)
    await expectPlantAt(now, select)
    expect(log).toEqual(['The plant has reached 2026-01-02.'])
  })

  test('never shows a part of a change or an earlier time than before', async () => {
    const statement = `
      SELECT (SELECT max(last_updated_at) FROM v_timeseries_data) AS newest, count(*) AS series,
        count(*) FILTER (WHERE (statistics->>'count')::int <> (
          SELECT count(value) FROM v_timeseries_data p WHERE p.id = s.id)) AS inconsistent
      FROM v_timeseries s`
    let seen = ''
    for (let step = 0; step < 10; step++) {
      now += hour / 2
      const answers = (await Promise.all([select(statement), select(statement)])) as [
        [{ newest: string; inconsistent: number }],
        [{ newest: string; inconsistent: number }],
      ]
      for (const [{ newest, inconsistent }] of answers) {
        expect(inconsistent).toBe(0)
        expect(newest >= seen).toBe(true)
      }
      seen = answers.map(([{ newest }]) => newest).toSorted()[0]!
    }
    expect(seen > iso(asOf)).toBe(true)
  })

  test('has its present rows in engines that replace others after a timeout', async () => {
    await until(asOf + 48 * hour)
    const stuck = [1, 2, 3].map(() =>
      rowsOf(engine, 'SELECT pg_sleep(60)', { limitShiftMs: -8_000 }).catch((error: unknown) => error),
    )
    for (const error of await Promise.all(stuck)) expect(error).toBeInstanceOf(StatementTimeout)
    await until(asOf + 49 * hour)
    await expectPlantAt(now, select, 3)
  })

  test('is refused with own rows and with a speed out of bounds', async () => {
    await expect(createNodeEngine({ live: {}, dataset: createDataset(plant) })).rejects.toThrow(RangeError)
    for (const speed of [0, -1, Number.NaN, 1e6]) {
      await expect(createNodeEngine({ live: { speed } })).rejects.toThrow('Give plant seconds per second')
    }
  })
})

describe('a session whose data change', () => {
  let session: Session
  beforeAll(async () => {
    const artifacts = await loadArtifacts()
    const build = () => buildSnapshot(createDataset(plant), artifacts)
    const cache = { directory: defaultCacheDirectory(), key: snapshotKey(plant), warn: () => {} }
    session = await Session.open(await cachedSnapshot({ ...cache, build }), artifacts)
  })
  const inSession = async (statement: string, settings: Partial<EngineSettings> = {}) => {
    const json = await jsonOf(session, statement, { ...defaultSettings, ...settings })
    return JSON.parse(`[${json}]`) as unknown[]
  }

  test('still runs statements as the reader, which cannot write', async () => {
    await session.apply(changeSteps(history.changes(asOf, asOf + 24 * hour)))
    await selfTest(session)
    expect(await isReader(session)).toBe(true)
  })

  test('has the right rows after VACUUM', async () => {
    let now = asOf + 24 * hour
    for (let step = 0; step < 12; step++) {
      await session.apply(changeSteps(history.changes(now, now + 48 * hour)))
      now += 48 * hour
    }
    await selfTest(session)
    await expectPlantAt(now, inSession)
  })

  test('applies variants to its present rows with the rights of the reader', async () => {
    const settings = {
      'qc.types': 'boolean',
      'schema.extra': 'additive',
      'statistics.count': 'all',
    } as const
    const runs = "SELECT count(*) FROM v_bioprocesses WHERE qc ->> 'status' IN ('true', 'false')"
    const before = await inSession(runs, settings)
    await session.apply([
      { sql: 'DELETE FROM plant.bioprocesses WHERE id = (SELECT max(id) FROM plant.bioprocesses)' },
    ])
    expect(await inSession(runs, settings)).not.toEqual(before)
    expect(await inSession('SELECT DISTINCT site FROM v_quantities', settings)).toEqual([{ site: 'Plant 1' }])
    await selfTest(session)
    expect(await inSession(runs)).toEqual([{ count: 0 }])
    await expect(inSession('SELECT site FROM v_quantities')).rejects.toThrow('column "site" does not exist')
  })

  test('needs no replacement after its views were recreated many times', async () => {
    for (let turn = 0; turn < 60; turn++) {
      await inSession('SELECT id FROM v_formulas LIMIT 1', turn % 2 ? { 'schema.extra': 'additive' } : {})
    }
    expect(session.needsReplacement).toBe(false)
    await selfTest(session)
  })

  test('refuses all statements after a change that failed', async () => {
    await expect(session.apply([{ sql: 'DELETE FROM plant.nothing' }])).rejects.toThrow(SessionPoisoned)
    for (let again = 0; again < 3; again++) {
      await expect(inSession('SELECT 1')).rejects.toThrow(SessionPoisoned)
    }
  })
})
