import type { ViewName } from '../../../schemas/index.ts'
import { dateOf, DAY, midnightOf } from '../../connection/values/instant.ts'
import type { DateSpelling } from '../../connection/values/date-literal.ts'
import type { ColumnUse, DateBound, Pair } from './syntax.ts'

/** The facts about rows that generated statements need. */
export interface Values {
  /** Dates that split the rows of a view in every time zone. */
  dates(view: ViewName): readonly DateBound[]
  /** Number of rows. */
  size(view: ViewName): number
}

/** The facts about known rows that the statements of every run need. */
export interface KnownValues extends Values {
  /** Number of rows that are newer than a date. */
  newer(view: ViewName, date: DateBound): number
  /** The date between the updates of the most pairs of a join; undefined if no date is. */
  straddling(pair: Pair): DateBound | undefined
  /** Counts the pairs of a join; with a date, those whose left row is newer. */
  joined(pair: Pair): (date?: DateBound) => number
  /** Whether the values of a column are short. */
  isShort(view: ViewName, column: ColumnUse): boolean
}

/**
 * Dates near some updates without an update near their midnight.
 *
 * @param margin that of the rows
 */
export function freeDates(updates: readonly bigint[], margin: bigint, spelling: DateSpelling): DateBound[] {
  const candidates = new Set(
    updates.flatMap((instant) =>
      [-2n, -1n, 0n, 1n, 2n, 3n].flatMap((days) => dateOf(instant + days * DAY) ?? []),
    ),
  )
  const free = [...candidates].filter((date) => {
    const midnight = midnightOf(date)
    return !updates.some((instant) => instant > midnight - margin && instant < midnight + margin)
  })
  return free.sort().map((date) => ({ date, sql: spelling.write(date) }))
}
