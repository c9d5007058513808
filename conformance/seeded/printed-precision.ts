import { instantOf } from '../connection/instant.ts'
import type { Json, JsonObject } from '../connection/json.ts'
import type { Answers } from './answers.ts'

/** The fraction digits that the plant has. */
const ALL = 6

/**
 * The same answers with the expected timestamps as coarse as the target prints them: the digits of a second are open
 * points (timestamps.format, delta.precision), so nobody fails for them. Cut off first, then rounded; nothing where the
 * target prints every digit.
 */
export function asPrinted(answers: Answers): Answers[] {
  const digits = new Map(
    answers.columns.flatMap((column) => {
      const printed = fractionDigits(answers.actual, column)
      return printed === undefined || printed >= ALL ? [] : [[column, printed] as const]
    }),
  )
  if (digits.size === 0) return []
  return [0n, 5n].map((tenths) => ({
    ...answers,
    expected: answers.expected.map((row) => ({
      ...row,
      ...Object.fromEntries([...digits].map(([name, count]) => [name, coarse(row[name], count, tenths)])),
    })),
  }))
}

/** The most fraction digits of a column's timestamps; undefined if it holds none. */
function fractionDigits(rows: readonly JsonObject[], column: string): number | undefined {
  const counts = rows.flatMap(({ [column]: value }) =>
    isTimestamp(value) ? [/[.,](\d+)/.exec(value)?.[1]!.length ?? 0] : [],
  )
  return counts.length === 0 ? undefined : counts.reduce((most, count) => Math.max(most, count))
}

/** @param tenths of the last digit, which are added before the rest is cut off */
function coarse(value: Json | undefined, digits: number, tenths: bigint): Json {
  if (!isTimestamp(value)) return value ?? null
  const unit = 10n ** BigInt(9 - digits)
  const instant = ((instantOf(value)! + (unit * tenths) / 10n) / unit) * unit
  const seconds = new Date(Number(instant / 1_000_000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(instant % 1_000_000_000n).padStart(9, '0')}Z`
}

const isTimestamp = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length > 10 && instantOf(value) !== undefined
