import { expect, test } from 'vitest'
import { handmade, refuse, rowsReply } from '../../connection/handmade.test-helper.ts'
import { checks } from '../index.ts'

const checkOf = (id: string) => checks.find((check) => check.id === id)!
const rows = { v_bioprocesses: [{ id: 'r1' }, { id: 'r2' }], v_quantities: [{ id: 'q1' }] }
const withoutLimit = () =>
  handmade({ rows, answer: ({ sql }) => (sql.includes('LIMIT') ? refuse(400, 'Token unknown') : undefined) })

test('a refused LIMIT fails once, and views are read without it', async () => {
  const t = withoutLimit()
  expect(await checkOf('sql.limit-accepted').run(t)).toMatchObject({
    outcome: 'fail',
    message: 'LIMIT is refused: a plain statement is served without it',
  })
  expect(await checkOf('views.exists:v_quantities').run(t)).toMatchObject({ outcome: 'pass' })
  expect((await t.sample('v_bioprocesses')).rows).toEqual(rows.v_bioprocesses)
})

test('points are not read without LIMIT', async () => {
  const t = withoutLimit()
  expect(await checkOf('views.exists:v_timeseries_data').run(t)).toMatchObject({ outcome: 'not-exercised' })
  const unlimited = t.client.answers.filter(({ request: { body } }) => body.endsWith('v_timeseries_data"}'))
  expect(unlimited).toEqual([])
})

test('a column that SELECT * shows is said to be refused when named', async () => {
  const t = handmade({
    rows: { v_timeseries_data: [{ id: 's', timestamp: '2025-01-01', value: 1, data_item_id: null }] },
    answer: ({ sql }) => (/\bvalue\b/.test(sql) ? refuse(400, 'syntax error') : undefined),
  })
  expect(await checkOf('views.columns:v_timeseries_data').run(t)).toMatchObject({
    outcome: 'fail',
    message: 'v_timeseries_data refuses the column value when named, although SELECT * shows it',
  })
})

test.each([
  ['rows', undefined, 'fail'],
  ['an error', refuse(400), 'observed'],
])('LIMIT 0 with %s', async (_, answer, outcome) => {
  const t = handmade({ rows, answer: ({ sql }) => (sql.endsWith(' 0') ? (answer ?? served()) : undefined) })
  expect(await checkOf('sql.limit-zero').run(t)).toMatchObject({ outcome })
})

const served = () => rowsReply(rows.v_bioprocesses)
