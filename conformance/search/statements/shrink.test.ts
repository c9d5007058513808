import { expect, test } from 'vitest'
import { columnsOf, type Query } from './syntax.ts'
import { render } from './render.ts'
import { shrink, stepsOfQuery } from './shrink.ts'

const from = { view: 'v_timeseries', alias: 'l' } as const
const named = ['id', 'unit', 'start_timestamp']

const large: Query = {
  items: columnsOf(from).filter(({ name }) => named.includes(name)),
  from,
  join: { source: { view: 'v_bioprocesses', alias: 'r' }, on: { left: 'bioprocess_id', right: 'id' } },
  after: { date: '2025-12-01', sql: "'2025-12-01'" },
  limit: 612,
}

/** The smallest query whose text still matches. */
const smallest = async (pattern: RegExp) => {
  const { subject } = await shrink(
    stepsOfQuery,
    large,
    true,
    async (candidate) => pattern.test(render(candidate)) || undefined,
  )
  return render(subject)
}

test.each([
  [/WHERE/, "SELECT id FROM v_timeseries WHERE last_updated_at > '2025-12-01'"],
  [/LEFT JOIN/, 'SELECT l.id FROM v_timeseries l LEFT JOIN v_bioprocesses r ON l.bioprocess_id = r.id'],
  [/LIMIT [5-9]\d\d/, 'SELECT id FROM v_timeseries LIMIT 500'],
  [/unit.*FROM/, 'SELECT unit FROM v_timeseries'],
])('shrink reduces a query that must match %s to `%s`', async (pattern, text) => {
  expect(await smallest(pattern)).toBe(text)
})

test('shrink reduces a query to one column of one view if every query matches', async () => {
  expect(await smallest(/./)).toBe('SELECT id FROM v_timeseries')
})

test('shrink reduces a query on all columns of a joined view to its first column', async () => {
  const { subject } = await shrink(
    stepsOfQuery,
    { ...large, items: columnsOf(large.join!.source) },
    true,
    async (candidate) => /FROM v_bioprocesses/.test(render(candidate)) || undefined,
  )
  expect(render(subject)).toBe('SELECT id FROM v_bioprocesses')
})

test('shrink returns the query unchanged if no reduction matches', async () => {
  const { subject } = await shrink(stepsOfQuery, large, 'seen', async () => undefined)
  expect(subject).toBe(large)
})

test('shrink never tries a statement twice', async () => {
  const asked: string[] = []
  await shrink(stepsOfQuery, large, true, async (candidate) => {
    asked.push(render(candidate))
    return asked.length % 3 === 0 || undefined
  })
  expect(new Set(asked).size).toBe(asked.length)
})
