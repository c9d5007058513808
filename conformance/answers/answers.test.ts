import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { plain } from '../connection/values/json.ts'
import { answersOf, rowsIn } from './answers.ts'

const JOIN = 'FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id'

/** What answersOf finds after one statement, whose answer has some rows. */
async function after(sql: string, rows: unknown[]) {
  const target = handmade({ answer: () => rowsReply(rows) })
  await target.query(sql)
  const [answer] = answersOf(target)
  return answer!.rows.map(({ view, columns, rows: found, withoutPartner }) => ({
    view,
    columns: columns.length,
    rows: found.map(plain),
    ...(withoutPartner && { withoutPartner: withoutPartner.map(plain) }),
  }))
}

test('answersOf names the rows of SELECT * and of named columns, also if rows are arrays', async () => {
  const rows = [{ view: 'v_quantities', columns: 2, rows: [{ id: 'q1', name: 'pH' }] }]
  expect(await after('SELECT id, name FROM v_quantities LIMIT 1', [{ id: 'q1', name: 'pH' }])).toEqual(rows)
  expect(await after('SELECT id, name FROM v_quantities LIMIT 1', [['q1', 'pH']])).toEqual(rows)
  const [all] = await after('SELECT * FROM v_quantities', [{ id: 'q1' }])
  expect(all).toMatchObject({ view: 'v_quantities', rows: [{ id: 'q1' }] })
  expect(all!.columns).toBeGreaterThan(3)
})

test('answersOf gives the right rows of a join their key, and lists keys without a partner', async () => {
  const rows = [
    { bioprocess_id: 'b1', name: 'Run 1' },
    { bioprocess_id: 'b2', name: null },
    { bioprocess_id: null, name: null },
  ]
  expect(await after(`SELECT t.bioprocess_id, b.name ${JOIN}`, rows)).toEqual([
    { view: 'v_timeseries', columns: 1, rows: rows.map(({ bioprocess_id }) => ({ bioprocess_id })) },
    {
      view: 'v_bioprocesses',
      columns: 2,
      rows: [{ id: 'b1', name: 'Run 1' }],
      withoutPartner: [{ id: 'b2', name: null }],
    },
  ])
})

test('answersOf reads the columns of a join that both views have only for rules that hold in both', async () => {
  const [left, right, both] = await after(`SELECT * ${JOIN}`, [
    { id: '?', bioprocess_id: 'b1', unit: 'g', name: 'Run 1', last_updated_at: 'L', end_timestamp: null },
  ])
  expect(left!.rows).toEqual([{ bioprocess_id: 'b1', unit: 'g' }])
  expect(right!.rows).toEqual([{ id: 'b1', name: 'Run 1' }])
  expect(both!.rows).toEqual([{ last_updated_at: 'L' }])
})

test('answersOf reads no rows of statements without a documented form', async () => {
  expect(await after('SELECT COUNT(*) AS id FROM v_quantities', [{ id: 3 }])).toEqual([])
})

test('rowsIn finds the rows of a view in every answer of the run', async () => {
  const target = handmade({ rows: { v_quantities: [{ id: 'q1', name: 'pH' }] } })
  await target.query('SELECT id FROM v_quantities LIMIT 1')
  await target.query('SELECT * FROM v_quantities')
  await target.query('SELECT id FROM v_formulas')
  expect([...rowsIn(target, 'v_quantities')].map(({ rows }) => rows.map(plain))).toEqual([
    [{ id: 'q1' }],
    [{ id: 'q1', name: 'pH' }],
  ])
})
