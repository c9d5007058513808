import type { JsonObject } from '../connection/json.ts'

/** The rows of the reference and of the target for one statement. */
export interface Answers {
  /** The compared columns. */
  columns: readonly string[]
  /** The rows of the reference. With `chosen`, all rows that LIMIT may choose from. */
  expected: readonly JsonObject[]
  actual: readonly JsonObject[]
  /** Whether the statement determines the order of rows. */
  ordered: boolean
  /** Whether values must be equal. Computed values may differ slightly. */
  exact: boolean
  /** The number of rows that LIMIT chooses, if it may choose any. */
  chosen?: number
}
