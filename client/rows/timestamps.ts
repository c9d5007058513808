import { readTimestamp } from '../../base/time/timestamp.ts'
import type { ViewName, ViewRows } from '../../schemas/generated/types.ts'
import type { ColumnDefinition } from '../../schemas/views.ts'
import { type Row, UnreadableRows } from './rows.ts'

/** The columns of rows that hold a timestamp. */
type TimestampColumn = `${string}timestamp` | `${string}_at`

/** A row whose timestamps are dates. */
export type WithDates<Row> = {
  [C in keyof Row]: C extends TimestampColumn ? Date | Extract<Row[C], null | undefined> : Row[C]
}

/** Rows of a view: some columns, and dates in place of timestamps if asked for. */
export type RowsOf<V extends ViewName, C extends keyof ViewRows[V], D extends boolean> = D extends true
  ? WithDates<Pick<ViewRows[V], C>>[]
  : Pick<ViewRows[V], C>[]

/**
 * Rows with dates in place of timestamps. A `Date` has milliseconds: further digits are lost, so no cursor may come from it.
 *
 * @throws UnreadableRows for a text that is not a date
 */
export function withDates(rows: Row[], columns: readonly ColumnDefinition[]): Row[] {
  const names = columns.flatMap(({ name, format }) => (format === undefined ? [] : [name]))
  return rows.map((row) => {
    const dated = { ...row }
    for (const name of names)
      if (row[name] !== null && Object.hasOwn(row, name)) dated[name] = dateOf(name, row[name])
    return dated
  })
}

/**
 * The date of a timestamp in any form of ISO 8601 that services print, such as `+00` for the zone, which `Date.parse` does not
 * read. Without a zone it is UTC.
 * @example toDate('2026-01-31 08:00:00+00')?.toISOString() // '2026-01-31T08:00:00.000Z'
 * @returns undefined for anything else
 */
export function toDate(text: string): Date | undefined {
  const timestamp = typeof text === 'string' ? readTimestamp(text) : undefined
  return timestamp && new Date(timestamp.seconds * 1000 + Math.floor(timestamp.nanos / 1e6))
}

function dateOf(name: string, value: unknown): Date {
  const date = toDate(value as string)
  if (date !== undefined) return date
  throw new UnreadableRows(
    `The ${name} of a row is ${JSON.stringify(value)}, not a timestamp in ISO 8601. Read it without dates.`,
  )
}
