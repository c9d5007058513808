import { expect, test } from 'vitest'
import { nameSources } from './sources.ts'

const views = new Map([
  [7, 'v_timeseries'],
  [8, 'v_bioprocesses'],
])
const column = (table: number, attribute: number) => ({ name: 'id', type: 25, table, attribute })

test('names the view a column comes from by its alias', () => {
  const sources = [
    { view: 'v_timeseries', alias: 't' },
    { view: 'v_bioprocesses', alias: 'b' },
  ]
  const columns = nameSources([column(7, 1), column(8, 1), column(0, 0)], sources, views)
  expect(columns.map(({ source }) => source)).toEqual(['t', 'b', undefined])
})

test('tells two occurrences of one view apart', () => {
  const sources = [
    { view: 'v_timeseries', alias: 'a' },
    { view: 'v_timeseries', alias: 'b' },
  ]
  const fields = [column(7, 1), column(7, 2), column(7, 1), column(7, 2)]
  expect(nameSources(fields, sources, views).map(({ source }) => source)).toEqual(['a', 'a', 'b', 'b'])
})
