import { canonical, type JsonObject } from '../connection/values/json.ts'
import { updatedAt } from '../connection/values/updates.ts'

/** The bound of a delta as instants, in nanoseconds since 1970. */
export interface DeltaBound {
  /** Rows updated after this instant must be in the delta. */
  newer: bigint
  /** Rows updated before this instant must not be in the delta. */
  older: bigint
}

export interface DeltaComparison {
  /** Rows of the delta that are older than the bound. */
  stale: JsonObject[]
  /** Rows newer than the bound that the delta lacks. */
  missing: JsonObject[]
  /** Rows of the delta that are newer than the bound. */
  newer: number
  /** Known rows that the delta correctly contains or omits. */
  confirmed: number
}

/** Compares a delta with rows read before. Rows without a readable update count as neither newer nor older. */
export function compareDelta(
  known: readonly JsonObject[],
  delta: readonly JsonObject[],
  bound: DeltaBound,
): DeltaComparison {
  const isNewer = (row: JsonObject) => (updatedAt(row) ?? bound.newer) > bound.newer
  const isOlder = (row: JsonObject) => (updatedAt(row) ?? bound.older) < bound.older
  const found = new Set(delta.map(({ id }) => canonical(id ?? null)))
  const expected = known.filter(isNewer)
  const missing = expected.filter(({ id }) => !found.has(canonical(id ?? null)))
  return {
    stale: delta.filter(isOlder),
    missing,
    newer: delta.filter(isNewer).length,
    confirmed: expected.length - missing.length + known.filter(isOlder).length,
  }
}
