import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDataset, followPlant } from '../../../fixtures/index.ts'
import { hour, iso, type Micros } from '../../../fixtures/time.ts'
import { views } from '../../../schemas/index.ts'
import { changeSteps } from '../../engine/change.ts'
import { defaultSettings } from '../../open-points/default-settings.ts'
import { type EngineSettings, StatementTimeout } from '../../statement.ts'
import { selfTest } from '../../engine/self-test.ts'
import { Session, SessionPoisoned } from '../../engine/session.ts'
import { buildSnapshot } from '../../engine/snapshot/build.ts'
import { loadParser } from '../../gate/gate.ts'
import { loadArtifacts } from './artifacts.ts'
import { defaultCacheDirectory } from './cache-directory.ts'
import { createNodeEngine, type NodeEngine } from './index.ts'
import { rowsOf } from './plant.test-helper.ts'
import { cachedSnapshot } from './snapshot-cache.ts'
import { snapshotKey } from './snapshot-key.ts'

/** The plant that other tests read too, so that its snapshot is there already. */
const plant = { seed: 1, scale: 0.01, asOf: '2026-01-01T00:00:00Z' }
const history = followPlant(plant)
const { asOf } = history

const sorted = (rows: Iterable<unknown>) => [...rows].map((row) => JSON.stringify(row)).toSorted()

/** Holds all rows, as so many askers get them at once, against those of the fixtures. */
async function expectPlantAt(
  now: Micros,
  select: (statement: string) => Promise<unknown[]>,
  askers = 1,
): Promise<void> {
  const dataset = createDataset({ ...plant, now: iso(now) })
  for (const { name, columns } of views) {
    const expected = sorted([...(dataset.rows(name) as Iterable<object>)].map(ordered))
    // jsonb orders keys in its own way
    const list = columns.map((column) => column.name).join(', ')
    const ask = () => select(`SELECT ${list} FROM ${name}`)
    for (const rows of await Promise.all(Array.from({ length: askers }, ask))) {
      expect(rows.length, name).toBe(expected.length)
      expect(sorted(rows.map(ordered)), name).toEqual(expected)
    }
  }
}

/** With the keys of all objects in one order. */
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
    engine = await createNodeEngine({ ...plant, live, timeLimitMs: 2_000, log: (line) => log.push(line) })
  })
  afterAll(() => engine.close())

  test('begins at asOf', () => {
    expect(engine.plantTime()).toBe(iso(asOf))
  })

  test('shows the rows of its time', async () => {
    for (const hours of [0.01, 1, 1.25, 30]) await until(asOf + hours * hour)
    await expectPlantAt(now, select)
    expect(log).toEqual(['The plant has reached 2026-01-02.'])
  })

  test('never shows half of a change, nor an earlier time than before', async () => {
    const statement = `
      SELECT (SELECT max(last_updated_at) FROM v_timeseries_data) AS newest, count(*) AS series,
        count(*) FILTER (WHERE (statistics->>'count')::int <> (
          SELECT count(value) FROM v_timeseries_data p WHERE p.id = s.id)) AS torn
      FROM v_timeseries s`
    let seen = ''
    for (let step = 0; step < 10; step++) {
      now += hour / 2
      const answers = (await Promise.all([select(statement), select(statement)])) as [
        [{ newest: string; torn: number }],
        [{ newest: string; torn: number }],
      ]
      for (const [{ newest, torn }] of answers) {
        expect(torn).toBe(0)
        expect(newest >= seen).toBe(true)
      }
      seen = answers.map(([{ newest }]) => newest).toSorted()[0]!
    }
    expect(seen > iso(asOf)).toBe(true)
  })

  test('is at its present again after engines were ended by a time-out', async () => {
    await until(asOf + 48 * hour)
    const stuck = [1, 2, 3].map(() => select('SELECT pg_sleep(60)').catch((error: unknown) => error))
    for (const error of await Promise.all(stuck)) expect(error).toBeInstanceOf(StatementTimeout)
    await until(asOf + 49 * hour)
    await expectPlantAt(now, select, 3)
  })

  test('is refused with rows of ones own, and at an impossible speed', async () => {
    await expect(createNodeEngine({ live: {}, dataset: createDataset(plant) })).rejects.toThrow(RangeError)
    for (const speed of [0, -1, Number.NaN, 1e6]) {
      await expect(createNodeEngine({ live: { speed } })).rejects.toThrow('Give plant seconds in a second')
    }
  })
})

describe('a session that is changed', () => {
  let session: Session
  beforeAll(async () => {
    const artifacts = await loadArtifacts()
    await loadParser()
    const build = () => buildSnapshot(createDataset(plant), artifacts)
    const cache = { directory: defaultCacheDirectory(), key: snapshotKey(plant), warn: () => {} }
    session = await Session.open(await cachedSnapshot({ ...cache, build }), artifacts)
  })
  const inSession = async (statement: string, settings: Partial<EngineSettings> = {}) => {
    let json = ''
    for await (const { chunks } of session.run(statement, { ...defaultSettings, ...settings })) {
      for (const chunk of chunks) json += new TextDecoder().decode(chunk)
    }
    return JSON.parse(`[${json}]`) as unknown[]
  }

  test('still can only read, as nobody but the reader', async () => {
    await session.apply(changeSteps(history.changes(asOf, asOf + 24 * hour)))
    await selfTest(session)
    expect(await inSession('SELECT current_user, session_user')).toEqual([
      { current_user: 'reader', session_user: 'reader' },
    ])
  })

  test('is the same after it was tidied up', async () => {
    let now = asOf + 24 * hour
    for (let step = 0; step < 12; step++) {
      await session.apply(changeSteps(history.changes(now, now + 48 * hour)))
      now += 48 * hour
    }
    await selfTest(session)
    await expectPlantAt(now, inSession)
  })

  test('shows variants of what it has now, with the rights of the reader', async () => {
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

  test('is tidied up after views were made anew many times', async () => {
    for (let turn = 0; turn < 60; turn++) {
      await inSession('SELECT id FROM v_formulas LIMIT 1', turn % 2 ? { 'schema.extra': 'additive' } : {})
    }
    expect(session.needsReplacement).toBe(false)
    await selfTest(session)
  })

  test('can not be used any more when a change fails', async () => {
    await expect(session.apply([{ sql: 'DELETE FROM plant.nothing' }])).rejects.toThrow(SessionPoisoned)
    for (let again = 0; again < 3; again++) {
      await expect(inSession('SELECT current_user')).rejects.toThrow(SessionPoisoned)
    }
  })
})
