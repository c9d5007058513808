import { expect, test } from 'vitest'
import { handmade } from '../connection/handmade.test-helper.ts'
import { wholeLarge } from './large.ts'

const ids = (count: number, unit = '') => Array.from({ length: count }, (_, n) => ({ id: `${n}`, unit }))
const points = (count: number) => ids(count).map(({ id }) => ({ id, timestamp: 'x'.repeat(30), value: 1 }))
const read = (rows: ReturnType<typeof ids>, longest: number) => {
  const t = handmade({ rows: { v_timeseries: rows, v_timeseries_data: points(longest) } })
  return wholeLarge(t, 'v_timeseries', ['id'])
}

test('wholeLarge reads a view with more than 900 rows if a longer answer was served', async () => {
  expect(await read(ids(1318), 2500)).toMatchObject({ rows: { length: 1318 } })
  expect(await read(ids(3001), 20_001)).toMatchObject({ rows: { length: 3001 } })
})

test.each([
  ['it has at least 20001 rows', ids(20_500), 20_500],
  ['a cap on responses may have ended it after 1318 rows', ids(1318), 1318],
  ['a cap on responses may have ended it after 1500 rows', ids(1500), 20_001],
])('wholeLarge says that %s', async (why, rows, longest) => {
  expect(await read(rows, longest)).toBe(why)
})

test('wholeLarge does not ask for rows that would take too much memory', async () => {
  const sql: string[] = []
  const t = handmade({
    rows: { v_timeseries: ids(7001, 'x'.repeat(6000)), v_timeseries_data: points(20_001) },
    answer: (asked) => {
      sql.push(asked.sql)
      return undefined
    },
  })
  expect(await wholeLarge(t, 'v_timeseries', ['id', 'unit'])).toMatch(
    /^its 7001 rows would take some \d+ MiB$/,
  )
  expect(sql.filter((text) => text.endsWith(' LIMIT 20001'))).toEqual([
    'SELECT id FROM v_timeseries LIMIT 20001',
  ])
})
