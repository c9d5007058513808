import { expect, test } from 'vitest'
import { contract, tableColumns } from '../../../schemas/index.ts'
import { documentedKind } from './classify.ts'
import { readable } from './generator-context.ts'
import { randomOf } from '../../connection/values/random.ts'
import { render } from './render.ts'
import { spread } from './spread.ts'

const dates = ['2025-01-01', '2025-02-01', '2025-03-01'].map((date) => ({ date, sql: `'${date}'` }))
const spreadOver = (views = readable, known = dates, most = 9000) =>
  spread(
    {
      random: randomOf(1),
      views,
      values: {
        dates: () => known,
        size: () => 50,
        newer: () => 20,
        straddling: () => known[0],
        joined: () => (date) => (date ? 9000 : most),
        isShort: (_, { name }) => name === 'qc',
      },
    },
    contract.delta.views.filter((view) => views.includes(view)),
  )

test('spread has every documented kind, every view, and a join by every relation in both directions', () => {
  const queries = spreadOver()
  expect(new Set(queries.map(documentedKind))).toEqual(
    new Set(['select', 'limit', 'delta-by-date', 'delta-by-newest', 'join']),
  )
  for (const view of readable) expect(queries.map(render)).toContain(`SELECT * FROM ${view}`)
  const joins = queries.filter(({ join }) => join)
  expect(joins).toHaveLength(
    2 * contract.relations.filter(({ from }) => !from.startsWith('v_timeseries_data')).length + 1,
  )
  expect(queries.map(render)).toContain(
    'SELECT l.id, l.start_timestamp, l.unit, r.quantity_id, r.value FROM v_timeseries l ' +
      'LEFT JOIN v_bioprocess_quantity_data r ON l.bioprocess_id = r.bioprocess_id',
  )
})

test('spread needs no dates and no relation', () => {
  const [all, half, ...deltas] = spreadOver(['v_formulas'], []).map(render)
  expect(all).toBe('SELECT * FROM v_formulas')
  expect(half).toMatch(/^SELECT id, formula, .* FROM v_formulas LIMIT 49$/)
  expect(deltas).toEqual([
    'SELECT * FROM v_formulas WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_formulas)',
  ])
})

test('spread varies the columns and the LIMIT of deltas', () => {
  const deltas = spreadOver().filter(({ after, join }) => after && !join)
  for (const bound of ['date', 'newestOf']) {
    const own = deltas.filter(({ after }) => bound in after!)
    expect([...new Set(own.map(({ items }) => items.includes('*')))].toSorted()).toEqual([false, true])
  }
  expect(new Set(deltas.map(({ limit }) => limit))).toEqual(new Set([undefined, 1, 10, 25]))
})

test('spread joins with and without a bound, and never with two columns of one name', () => {
  const joins = spreadOver().filter(({ join }) => join)
  expect(joins.filter(({ after }) => after)).toHaveLength(1)
  for (const { items } of joins) {
    const names = items.map((item) => (item === '*' ? '*' : item.name))
    expect(new Set(names).size).toBe(names.length)
  }
})

test('the two directions of a join read every column of both views but JSON', () => {
  const both = ['v_timeseries', 'v_bioprocesses'] as const
  const joins = spreadOver().filter(
    ({ from, join }) => join && [from, join.source].every(({ view }) => both.some((one) => one === view)),
  )
  const read = joins.flatMap(({ items }) => items.map((item) => (item === '*' ? '*' : item.name)))
  for (const view of both)
    for (const { name, postgres } of tableColumns(view))
      if (postgres !== 'jsonb') expect(read).toContain(name)
})

test('one join returns a single row, and one ends among the partners of a row', () => {
  const limits = spreadOver().flatMap(({ join, limit }) => (join && limit !== undefined ? [limit] : []))
  expect(limits.toSorted((one, other) => one - other)).toEqual([1, 25])
})

test('a join reads short columns with JSON, and columns that may be null first', () => {
  const sql = spreadOver()
    .map(render)
    .find((text) => / FROM v_timeseries l LEFT JOIN v_bioprocesses /.test(text))!
  expect(sql).toMatch(/ r\.qc\b/)
  expect(sql).not.toMatch(/r\.events/)
  expect(/r\.(\w+)/.exec(sql)![1]).toBe('scheduled_start_timestamp')
})

test('the join of many with many has a bound if it would have too many rows', () => {
  const [few, many] = [9000, 20_000].map((most) => spreadOver(readable, dates, most).map(render).at(-1))
  expect(few).not.toMatch(/WHERE/)
  expect(many).toMatch(/ WHERE l\.last_updated_at > '2025-01-01'$/)
})
