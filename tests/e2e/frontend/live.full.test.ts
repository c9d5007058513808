import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hour, iso, microsOf, type Micros } from '../../../base/time/micros.ts'
import { startServer, type Server } from '../../../mock/index.ts'
import { views, type ViewName } from '../../../schemas/index.ts'
import { ask } from '../support/ask.ts'
import { finished, startCliServer } from '../support/cli.ts'

type Row = Record<string, unknown>

const asOf = microsOf('asOf', '2026-01-01T00:00:00Z')
let server: Server
let now: Micros = asOf

beforeAll(async () => {
  server = await startServer({ scale: 0.01, live: { clock: () => now, intervalMs: 10 } })
})
afterAll(() => server.close())

const at = (path: string) => fetch(server.baseUrl + path).then((response) => response.json()) as Promise<Row>

/** Sets the clock of the plant and waits until the server has its rows. */
function until(time: Micros): Promise<void> {
  now = time
  return vi.waitFor(async () => expect(await at('/_mock/ready')).toEqual({ ready: true, now: iso(time) }), {
    timeout: 30_000,
  })
}

async function select(statement: string, target: Pick<Server, 'baseUrl' | 'token'> = server): Promise<Row[]> {
  const { rows, state } = await ask(target, statement)
  expect(state).toBe('success')
  return rows
}

const keyOf = (row: Row) => JSON.stringify([row['record_id'] ?? row['id'], row['timestamp']])

/** The bound of the first load. Points are many, so that older ones are left out. */
const loadedFrom = (view: ViewName) => (view === 'v_timeseries_data' ? iso(asOf) : '1970-01-01T00:00:00Z')

/** Loads the rows of every view that are newer than the newest row of the copy. */
async function catchUp(copy: Map<string, Map<string, Row>>): Promise<void> {
  for (const { name } of views) {
    const column = name === 'v_archived_records' ? 'archived_at' : 'last_updated_at'
    const rows = copy.get(name) ?? new Map<string, Row>()
    const newest = [...rows.values()].map((row) => String(row[column])).toSorted()
    const after = newest.at(-1) ?? loadedFrom(name)
    for (const row of await select(`SELECT * FROM ${name} WHERE ${column} > '${after}'`))
      rows.set(keyOf(row), row)
    copy.set(name, rows)
  }
  for (const { record_id, table_name } of copy.get('v_archived_records')!.values()) {
    copy.get(`v_${String(table_name)}`)!.delete(JSON.stringify([record_id, undefined]))
  }
}

test('a client that loads the changes of a live plant has the rows of a full load, also after runs end', async () => {
  const copy = new Map<string, Map<string, Row>>()
  const running = (await select("SELECT id FROM v_bioprocesses WHERE status = 'In-progress'")) as {
    id: string
  }[]
  const points = 'SELECT count(*) AS n FROM v_timeseries_data'
  const [before] = await select(points)
  expect(running.length).toBeGreaterThan(0)
  for (const hours of [0, 6, 900]) {
    await until(asOf + hours * hour)
    await catchUp(copy)
  }
  const [after] = await select(points)
  expect(Number(after!['n'])).toBeGreaterThan(Number(before!['n']))
  const list = running.map(({ id }) => `'${id}'`).join(', ')
  expect(await select(`SELECT DISTINCT status FROM v_bioprocesses WHERE id IN (${list})`)).toEqual([
    { status: 'Completed' },
  ])
  const settled = ({ status, end_timestamp, duration_ms, ...rest }: Row) =>
    JSON.stringify(status === 'In-progress' ? rest : { ...rest, status, end_timestamp, duration_ms })
  for (const { name } of views) {
    const column = name === 'v_archived_records' ? 'archived_at' : 'last_updated_at'
    const rows = await select(`SELECT * FROM ${name} WHERE ${column} > '${loadedFrom(name)}'`)
    const full = rows.map(settled).toSorted()
    expect([...copy.get(name)!.values()].map(settled).toSorted(), name).toEqual(full)
  }
  expect(copy.get('v_archived_records')!.size).toBeGreaterThan(20)
})

test('changes of a session agree with the rows of a live plant, also hours later', async () => {
  const session = server.session()
  const own = { baseUrl: session.baseUrl, token: server.token }
  await until(asOf + 901 * hour)
  const running = "SELECT id FROM v_bioprocesses WHERE status = 'In-progress' ORDER BY id LIMIT 2"
  const [removed, kept] = (await select(running, own)) as [{ id: string }, { id: string }]
  const [series] = (await select(
    `SELECT id, end_timestamp FROM v_timeseries WHERE bioprocess_id = '${kept.id}' ORDER BY id LIMIT 1`,
    own,
  )) as [{ id: string; end_timestamp: string }]
  await session.rows.put({
    v_timeseries_data: [{ id: series.id, timestamp: series.end_timestamp, value: 999 }],
  })
  await session.rows.remove({ v_bioprocesses: [removed.id] })
  const statistics = `SELECT t.statistics->>'count' AS stated, count(d.value) AS stored FROM v_timeseries t
    JOIN v_timeseries_data d ON d.id = t.id WHERE t.id = '${series.id}' GROUP BY 1`
  const [before] = (await select(statistics, own)) as [{ stored: number }]
  await until(asOf + 906 * hour)
  const [after] = (await select(statistics, own)) as [{ stated: string; stored: number }]
  expect(after.stored).toBeGreaterThan(before.stored)
  expect(Number(after.stated)).toBe(after.stored)
  expect(await select(`SELECT id FROM v_bioprocesses WHERE id = '${removed.id}'`, own)).toEqual([])
  const ofRemoved = `SELECT t.id FROM v_timeseries t LEFT JOIN v_bioprocesses b ON b.id = t.bioprocess_id WHERE b.id IS NULL`
  expect(await select(ofRemoved, own)).toEqual([])
})

test('serve --live updates rows, logs the days of the plant and ends with exit code 0', async () => {
  const { child, baseUrl, stop } = await startCliServer([
    '--live',
    '100000',
    '--scale',
    '0.01',
    '--token',
    't',
  ])
  const ended = finished(child)
  const target = { baseUrl, token: 't' }
  await vi.waitFor(
    async () => {
      const [row] = await select('SELECT max(last_updated_at) AS newest FROM v_timeseries', target)
      expect(String(row!['newest']) > iso(asOf + hour)).toBe(true)
    },
    { timeout: 60_000, interval: 200 },
  )
  await stop()
  expect(await ended).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('The plant has reached 2026-01-0'),
  })
})
