import type { Statistics } from '../../schemas/generated/types.ts'
import { together, unless, type Invariant } from '../invariant.ts'
import { isRecord, nameOf } from '../rows/row.ts'
import { say, words } from '../message.ts'
import { isClose, summarise } from '../statistics.ts'

/** D17 to D23: the statistics of a series follow from its points. */
export const pointStatistics: readonly Invariant[] = [
  follows('D17', 'min'),
  follows('D18', 'max'),
  follows('D19', 'sum'),
  follows('D20', 'first'),
  follows('D21', 'last'),
  follows('D22', 'arithmetic_mean'),
  follows('D23', 'count'),
]

const nothing = summarise([])

function follows(id: string, key: keyof Statistics): Invariant {
  const views = { judges: ['v_timeseries'], whole: ['v_timeseries_data'] } as const
  return together(id, `statistics.${key} follows from the points`, views, function* (store) {
    for (const row of store.rows('v_timeseries')) {
      const { statistics } = row
      const printed = isRecord(statistics) ? statistics[key] : undefined
      const calculated = (store.points.get(nameOf(row))?.statistics ?? nothing)[key]
      const message = say`${words(`statistics.${key}`)} is ${printed}, but the points give ${calculated}.`
      yield {
        view: 'v_timeseries',
        row: nameOf(row),
        problems: unless(isClose(printed, calculated), message),
      }
    }
  })
}
