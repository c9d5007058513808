import type { Summary } from '../rows/point-series.ts'
import { summaryOf } from '../rows/point-series.ts'
import { isClose, together, unless, type Invariant } from '../invariant.ts'
import { isRecord, nameOf } from '../rows/row.ts'
import { say, words } from '../message.ts'

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

const nothing = summaryOf([])

function follows(id: string, key: keyof Summary): Invariant {
  const views = { judges: ['v_timeseries'], whole: ['v_timeseries_data'] } as const
  return together(id, `statistics.${key} follows from the points`, views, function* (store) {
    for (const row of store.rows('v_timeseries')) {
      const { statistics } = row
      const printed = isRecord(statistics) ? statistics[key] : undefined
      const calculated = (store.points.get(nameOf(row))?.summary ?? nothing)[key]
      const message = say`${words(key)} is ${printed}, the points give ${calculated}.`
      yield {
        view: 'v_timeseries',
        row: nameOf(row),
        problems: unless(isClose(printed, calculated), message),
      }
    }
  })
}
