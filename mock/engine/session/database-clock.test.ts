import fc from 'fast-check'
import { afterAll, beforeAll, expect, type MockInstance, test, vi } from 'vitest'
import { microsOf } from '../../../base/time/micros.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { createSnapshot } from '../../node/pglite/index.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { Session } from './session.ts'

let session: Session
let timers: MockInstance<typeof setTimeout>
/** The timers that PostgreSQL has set. */
const alarms = () => timers.mock.calls.filter(([, ms]) => ms! > 1000)

beforeAll(async () => {
  timers = vi.spyOn(globalThis, 'setTimeout')
  session = await Session.open(await createSnapshot({ scale: 0.01 }), await loadArtifacts())
})
afterAll(() => timers.mockRestore())

const pagesAt = (time: string | undefined, statement: string) =>
  session.run(statement, defaultSettings, undefined, time === undefined ? undefined : microsOf('time', time))

/** The first row of a statement that begins at a time. */
async function rowAt(time: string | undefined, statement: string): Promise<Record<string, unknown>> {
  let text = ''
  for await (const { chunks } of pagesAt(time, statement))
    for (const chunk of chunks) text += new TextDecoder().decode(chunk)
  return JSON.parse(text)
}

/** What PostgreSQL computes from the start of a transaction, and the same from a timestamp. */
const fixed = [
  ['now()', '$'],
  ['transaction_timestamp()', '$'],
  ['CURRENT_TIMESTAMP', '$'],
  ['CURRENT_TIMESTAMP(0)', '$::timestamptz(0)'],
  ['LOCALTIMESTAMP', '$::timestamp'],
  ['CURRENT_DATE', '$::date'],
  ['CURRENT_TIME', '$::timetz'],
  ['LOCALTIME', '$::time'],
  ["'now'::timestamptz", '$'],
  ["'now'::text::timestamp", '$::timestamp'],
  ["time 'now'", '$::time'],
  ["date 'today'", '$::date'],
  ["'today'::timestamptz", "date_trunc('day', $)"],
  ["'tomorrow'::date", '$::date + 1'],
  ["timestamp 'yesterday'", "date_trunc('day', $::timestamp) - interval '1 day'"],
  ["age(timestamp '2020-02-29 12:00')", "age($::date::timestamp, '2020-02-29 12:00')"],
  ["age(timestamptz '2020-02-29 12:00Z')", "age($::date::timestamptz, '2020-02-29 12:00Z')"],
  ["to_char(now(), 'YYYY-MM-DD HH24:MI:SS.US')", "to_char($, 'YYYY-MM-DD HH24:MI:SS.US')"],
] as const

/** What goes on while a statement runs. */
const running = ['clock_timestamp()', 'statement_timestamp()', 'timeofday()::timestamptz']

const times = fc
  .date({ min: new Date('1970-01-02T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .chain((date) =>
    fc.nat(999).map((micros) => date.toISOString().replace('Z', `${String(micros).padStart(3, '0')}+00:00`)),
  )

test('every function of the time tells that of the statement', async () => {
  await fc.assert(
    fc.asyncProperty(times, async (time) => {
      const given = `timestamptz '${time}'`
      const compared = fixed.map(
        ([sql, same], n) => `${sql} IS NOT DISTINCT FROM (${same.replaceAll('$', given)}) AS f${n}`,
      )
      const passed = running.map((sql, n) => `${sql} - ${given} BETWEEN '0' AND '1 hour' AS r${n}`)
      const row = await rowAt(time, `SELECT ${[...compared, ...passed].join(', ')}`)
      const wrong = [...fixed.map(([sql]) => sql), ...running].filter((_, n) => !Object.values(row)[n])
      expect(wrong).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('a statement without a time of its own tells the real one, also after others', async () => {
  await rowAt('2000-01-01T00:00:00Z', 'SELECT 1 AS one')
  const before = Date.now()
  const { now } = await rowAt(undefined, 'SELECT now()')
  expect(Date.parse(String(now))).toBeGreaterThanOrEqual(before)
})

test('a statement at the same time has the same now()', async () => {
  const time = '2026-01-01T00:00:00.000001+00:00'
  for (let n = 0; n < 20; n++) expect(await rowAt(time, 'SELECT now()')).toEqual({ now: time })
})

test.each(['pg_sleep(0.3)', "pg_sleep_for('0.3 s')"])(
  '%s takes 0.3 s at another time, without a busy thread',
  async (sleep) => {
    const waits = vi.spyOn(Atomics, 'wait')
    const started = performance.now()
    const { passed } = await rowAt(
      '2031-01-01T00:00:00Z',
      `SELECT extract(epoch FROM clock_timestamp() - now())::float AS passed FROM ${sleep}`,
    )
    const tookMs = performance.now() - started
    expect(passed).toBeGreaterThanOrEqual(0.299)
    expect(passed).toBeLessThanOrEqual(tookMs / 1000)
    expect(tookMs).toBeLessThan(60_000)
    expect(waits).toHaveBeenCalled()
    waits.mockRestore()
  },
)

test('a timer of PostgreSQL that goes off between two pages waits no longer than before', async () => {
  await rowAt(undefined, 'SELECT count(*) FROM v_timeseries_data')
  const [alarm] = alarms().at(-1)!
  const before = alarms().length
  const pages = pagesAt('2001-01-01T00:00:00Z', 'SELECT * FROM v_timeseries_data')
  expect((await pages.next()).value).toMatchObject({ last: false })
  alarm()
  await pages.return()
  expect(alarms().length).toBeGreaterThan(before)
  expect(Math.max(...alarms().map(([, ms]) => ms!))).toBeLessThanOrEqual(10_000)
})
