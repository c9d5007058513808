import { expect, test } from 'vitest'
import type { ViewName } from '../../../schemas/index.ts'
import { wholeTables } from '../../../invariants/tables.test-helper.ts'
import { disclosing } from '../../connection/redaction/disclosure.ts'
import { handmade } from '../../connection/handmade.test-helper.ts'
import type { Finding } from '../check.ts'
import { checks } from '../index.ts'

type Rows = Record<string, unknown>[]

/** The checks of rows in all answers. */
const rowChecks = checks.filter(
  ({ requirement, phase }) => requirement.startsWith('REQ-VIEW-') && phase === 'answers',
)
const checkOf = (id: string) => rowChecks.find((check) => check.id === id)!
const run = (id: string, rows: Partial<Record<ViewName, Rows>>): Promise<Finding> =>
  checkOf(id).run(handmade({ rows }))

const tables = wholeTables()
const [quantity] = tables.v_quantities
const [bioprocess] = tables.v_bioprocesses
const [series] = tables.v_timeseries

test('a row check fails with an example of each column, the number of its first row, and the statement', async () => {
  const wrong = { ...quantity, name: null, molar_mass: '18' }
  const finding = await run('views.types:v_quantities', { v_quantities: [{ ...quantity }, wrong, wrong] })
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: 'v_quantities.name is null; v_quantities.molar_mass is string (8 of 14 rows in 5 answers)',
    expected: 'v_quantities.name: string; v_quantities.molar_mass: number or null',
    actual:
      'v_quantities.name: null in row 2 and in 7 more; v_quantities.molar_mass: string in row 2 and in 7 more',
  })
  const statement = 'SELECT id, name FROM v_quantities LIMIT 2'
  expect(finding.exchanges?.map(({ request }) => request.body)).toEqual([JSON.stringify({ statement })])
})

test('a row check shows row values by their shape where they are to be hidden', async () => {
  const rows = { v_bioprocesses: [{ ...bioprocess, status: 'Running' }] }
  const finding = await disclosing('hashed', () => run('bioprocesses.status', rows))
  expect(finding.message).toMatch(
    /^v_bioprocesses\.status is "Xxxxxxx" #\w+ \(\d of \d rows in \d answers\)$/,
  )
  expect(finding.expected).toContain('Completed')
  expect(JSON.stringify([finding.actual, finding.message])).not.toContain('Running')
})

/** Rows of all views; each second row has other values in some columns. */
const halfWrong = Object.fromEntries(
  Object.entries(tables).map(([view, [row]]) => [
    view,
    [row, { ...row, id: 1, last_updated_at: 'soon', statistics: 'none', name: null }, row],
  ]),
) as Partial<Record<ViewName, Rows>>

test.each(rowChecks)('$id: the finding is the same after answers were judged in advance', async (check) => {
  for (const rows of [tables, halfWrong] as Partial<Record<ViewName, Rows>>[]) {
    const target = handmade({ rows })
    Array.from(check.prepare!(target))
    for (const view of Object.keys(tables)) await target.sample(view as ViewName)
    Array.from(check.prepare!(target))
    const prepared = await check.run(target)
    const unprepared = await check.run(handmade({ rows }))
    expect({ ...prepared, exchanges: [] }).toEqual({ ...unprepared, exchanges: [] })
  }
})

test.each(rowChecks.map(({ id }) => id))('%s: nothing is proven without rows', async (id) => {
  expect(await run(id, {})).toMatchObject({ outcome: 'not-exercised' })
})

test('a single row proves nothing where rows are related', async () => {
  expect(await run('timeseries.statistics-agree', { v_timeseries: [{ ...series }] })).toMatchObject({
    outcome: 'not-exercised',
  })
  expect(await run('ids.unique', { v_timeseries: [{ ...series }] })).toMatchObject({
    outcome: 'not-exercised',
  })
  const two = [{ ...series }, { ...series, id: 't2' }]
  expect(await run('timeseries.statistics-agree', { v_timeseries: two })).toMatchObject({
    outcome: 'pass',
    message: '8 rows: the statistics agree with each other, in 4 answers',
  })
})

test.each([
  ['bioprocesses.events', { v_bioprocesses: [{ ...bioprocess, events: [{ note: 'x' }] }] }],
  ['formula-results.series', { v_formula_results: [{ ...tables.v_formula_results[0], timeseries: null }] }],
])('%s says that there were rows, if none has a value to judge', async (id, rows) => {
  expect(await run(id, rows)).toMatchObject({
    outcome: 'not-exercised',
    message: 'there were rows, but without a value to judge',
  })
  expect(await run(id, {})).toMatchObject({ message: 'there were no rows to compare' })
})

test('a row check says how many rows it needs', async () => {
  expect(await run('ids.unique', { v_timeseries: [{ ...series }] })).toMatchObject({
    outcome: 'not-exercised',
    message: 'the check needs 2 rows to judge in one answer',
  })
})

test('a row check over several views names the view of a violation and counts only views with enough rows', async () => {
  const rows = { v_timeseries: [{ ...series }, { ...series }], v_quantities: [{ ...quantity }] }
  expect(await run('ids.unique', rows)).toMatchObject({
    outcome: 'fail',
    message: 'v_timeseries.id is "t1", which occurs more than once (5 of 15 rows in 10 answers)',
  })
})

test('permitted values are counted in a note', async () => {
  const events = [{ kind: 'PumpEvent' }, { type: 'DbObservationEvent' }]
  expect(await run('bioprocesses.events', { v_bioprocesses: [{ ...bioprocess, events }] })).toMatchObject({
    outcome: 'fail',
    notes: ['1 event records name no documented kind; they were not judged'],
  })
  const scheduled = { ...bioprocess, scheduled_start_timestamp: '2025-03-01' }
  expect(await run('timestamps.iso8601', { v_bioprocesses: [scheduled] })).toMatchObject({
    outcome: 'pass',
    notes: ['1 timestamps are calendar dates without a time'],
  })
})
