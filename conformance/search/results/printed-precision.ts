import { dateOf, instantOf, midnightOf } from '../../connection/values/instant.ts'
import type { Json, JsonObject } from '../../connection/values/json.ts'
import type { Results } from './results.ts'

/** The fraction digits of timestamps in the plant. */
const ALL = 6

/**
 * The results with expected timestamps in the precision of the target, truncated and rounded; empty if the target prints
 * all digits. The precision is an open point (timestamps.format, delta.precision), so nobody fails for it.
 */
export function asPrinted(results: Results): Results[] {
  const digits = new Map(
    results.columns.flatMap((column) => {
      const printed = fractionDigits(results.actual, column)
      return printed === undefined || printed >= ALL ? [] : [[column, printed] as const]
    }),
  )
  if (digits.size === 0) return []
  return [0n, 5n].map((tenths) => ({
    ...results,
    expected: results.expected.map((row) => ({
      ...row,
      ...Object.fromEntries([...digits].map(([name, count]) => [name, coarse(row[name], count, tenths)])),
    })),
  }))
}

/** The most fraction digits of the timestamps in a column; undefined if it has no timestamps. */
function fractionDigits(rows: readonly JsonObject[], column: string): number | undefined {
  const counts = rows.flatMap(({ [column]: value }) =>
    isTimestamp(value) ? [/[.,](\d+)/.exec(value)?.[1]?.length ?? 0] : [],
  )
  return counts.length === 0 ? undefined : counts.reduce((most, count) => Math.max(most, count))
}

/** @param tenths of the last digit, added before truncation: 0n truncates, 5n rounds */
function coarse(value: Json | undefined, digits: number, tenths: bigint): Json {
  const read = isTimestamp(value) ? instantOf(value) : undefined
  if (read === undefined) return value ?? null
  const unit = 10n ** BigInt(9 - digits)
  const instant = read + (unit * tenths) / 10n
  const date = dateOf(instant)
  if (date === undefined) return value ?? null
  const time = ((instant - midnightOf(date)) / unit) * unit
  const seconds = new Date(Number(time / 1_000_000n)).toISOString().slice(11, 19)
  return `${date}T${seconds}.${String(time % 1_000_000_000n).padStart(9, '0')}Z`
}

const isTimestamp = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length > 10 && instantOf(value) !== undefined
