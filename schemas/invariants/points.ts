import { nameOf, rowsOf, shown, type Invariant, type Tables } from './invariant.ts'
import { isClose, statisticOf } from './statistics.ts'

/** The statistics of each series follow from its points: D17 to D23. */
export const pointStatistics: readonly Invariant[] = [
  follows('D17', 'min'),
  follows('D18', 'max'),
  follows('D19', 'sum'),
  follows('D20', 'first'),
  follows('D21', 'last'),
  follows('D22', 'arithmetic_mean'),
  follows('D23', 'count'),
]

function follows(id: string, key: keyof typeof statisticOf): Invariant {
  return {
    id,
    title: `statistics.${key} follows from the points`,
    check: (tables) => {
      const values = valuesBySeries(tables)
      return rowsOf(tables, 'v_timeseries').flatMap((row) => {
        const printed = (row['statistics'] as Record<string, unknown> | null)?.[key]
        const calculated = statisticOf[key](values.get(nameOf(row)) ?? [])
        if (isClose(printed, calculated)) return []
        const message = `${key} is ${shown(printed)}, the points give ${shown(calculated)}.`
        return [{ invariant: id, view: 'v_timeseries', row: nameOf(row), message }]
      })
    },
  }
}

const read = new WeakMap<object, ReadonlyMap<string, readonly number[]>>()

/** The values of each series in time order. Kept for as long as the points are, as seven invariants need them. */
function valuesBySeries({ v_timeseries_data: points }: Tables): ReadonlyMap<string, readonly number[]> {
  const known = read.get(points)
  if (known) return known
  const timed = new Map<string, { time: number; value: number }[]>()
  for (const { id, timestamp, value } of points) {
    if (value === null) continue
    const series = timed.get(id) ?? []
    if (series.length === 0) timed.set(id, series)
    series.push({ time: Date.parse(timestamp), value })
  }
  const values = new Map(
    Array.from(timed, ([id, series]) => [
      id,
      series.sort((one, other) => one.time - other.time).map(({ value }) => value),
    ]),
  )
  read.set(points, values)
  return values
}
