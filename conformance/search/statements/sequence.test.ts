import { expect, test } from 'vitest'
import { neighbours } from './sequence.ts'
import type { KnownValues } from './values.ts'

/** Views in which as many rows are newer than the nth date as given. */
function known(newer: Record<string, number[]>): KnownValues {
  const dates = Object.fromEntries(
    Object.entries(newer).map(([view, counts]) => [
      view,
      counts.map((_, n) => ({ date: `2025-01-0${n}`, sql: `'2025-01-0${n}'` })),
    ]),
  )
  return {
    dates: (view) => dates[view] ?? [],
    size: () => 9,
    newer: (view, bound) => newer[view]![dates[view]!.indexOf(bound as never)]!,
    straddling: () => undefined,
    joined: () => () => 0,
    isShort: () => true,
  }
}

const deltasOf = (newer: Record<string, number[]>) => {
  const views = Object.keys(newer) as 'v_formulas'[]
  const { deltas } = neighbours({ values: known(newer), views }, views[0]!)
  return deltas.map(({ from, after }) => [from.view, 'date' in after! ? after.date : ''])
}

test('the deltas are those of the first view with seven different numbers of newer rows', () => {
  const seven = [0, 1, 2, 3, 4, 5, 6]
  const deltas = deltasOf({ v_formulas: [1, 2], v_quantities: seven, v_timeseries: seven })
  expect(deltas.map(([view]) => view)).toEqual(Array.from({ length: 7 }, () => 'v_quantities'))
  expect(new Set(deltas.map(([, date]) => date)).size).toBe(7)
})

test.each([2, 3, 4, 5, 6])(
  'with %i dates, a delta behind the fifth has another date than the first',
  (count) => {
    const dates = deltasOf({ v_formulas: Array.from({ length: count }, (_, n) => n) }).map(([, date]) => date)
    expect(dates.slice(5).some((date) => date !== dates[0])).toBe(true)
  },
)

test('a date that leaves all rows makes no delta', () => {
  expect(deltasOf({ v_formulas: [9, 9] })).toEqual([])
})
