import type { Json, JsonObject } from '../../connection/values/json.ts'

/** The expected rows of one statement and those of the target. */
export interface Results {
  /** The compared columns. */
  columns: readonly string[]
  /** With `chosen`, all rows that LIMIT may choose from. */
  expected: readonly JsonObject[]
  actual: readonly JsonObject[]
  /** Whether two values that differ only in the spelling of timestamps and nulls count as equal. Default: never. */
  near?: (one: Json, other: Json) => boolean
  /** Writes a value in a report. Default: in full, as rows of the simulated plant are public. */
  show?: (value: Json, length: number) => string
  /** The number of rows that LIMIT chooses, if it may choose any. */
  chosen?: number
}
