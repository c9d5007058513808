import type { JsonObject } from '../connection/json.ts'

/** The answers of the reference and of the target to one statement. */
export interface Answers {
  /** Columns that are compared; whatever else a row holds is not. */
  columns: readonly string[]
  /** What the reference answers; where `chosen` is given, every row that may be among those chosen. */
  expected: readonly JsonObject[]
  actual: readonly JsonObject[]
  /** Whether the order of rows is determined. */
  ordered: boolean
  /** Whether every value is stored as it is shown: then nothing but equality will do. */
  exact: boolean
  /** How many of the expected rows a LIMIT leaves, where any of them will do. */
  chosen?: number
}
