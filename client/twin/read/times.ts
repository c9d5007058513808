import { instantOf } from '../../rows/instant.ts'
import type { Row } from './asker.ts'

/** Compares two timestamps; texts that are none come first. */
export function compareTimes(one: string, other: string): number {
  const [a, b] = [instantOf(one)?.nanos ?? 0n, instantOf(other)?.nanos ?? 0n]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The time of change of a row, as printed. */
export const changeOf = (row: Row): string => String(row['last_updated_at'])

/** Whether every row has a time of change, and none is older than the one before. */
export function isOldestFirst(rows: readonly Row[]): boolean {
  return rows.every(
    (row, index) =>
      instantOf(changeOf(row)) !== undefined &&
      (index === 0 || compareTimes(changeOf(rows[index - 1]!), changeOf(row)) <= 0),
  )
}
