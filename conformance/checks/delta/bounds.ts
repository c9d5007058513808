import { contract, type ViewName } from '../../../schemas/index.ts'
import type { DeltaBound } from '../../comparisons/delta.ts'
import { MARGIN } from '../../comparisons/splitting-date.ts'
import { dateOf, DAY, instantOf, midnightOf } from '../../connection/values/instant.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { baseRows, readDelta } from '../../samples/delta.ts'
import { whole } from '../../samples/whole.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { maximumOf } from '../../connection/values/updates.ts'

const { column } = contract.delta
/** Rows this close to a maximum are not compared, in nanoseconds: MAX may print fewer digits than the column. */
const SECOND = 1_000_000_000n

/** The bound of a delta as SQL and as instants. */
export interface Bound extends DeltaBound {
  /** The SQL after `>`. */
  sql: string
  /** The SQL as messages show it, if it contains the value of a row. */
  shown?: string
  /** The source rows of the bound, if a write can change it. */
  from?: Selection
}

/** The newest row of a view as a bound. */
export type NewestBound = Bound & { from: Selection }

/**
 * A date (`YYYY-MM-DD`) in an unknown time zone: its midnight, or its end.
 *
 * @param margin that of the compared rows
 */
export async function boundAt(t: Target, date: string, margin: bigint): Promise<Bound> {
  const midnight = midnightOf(date)
  return { sql: await t.dateLiteral(date), newer: midnight + DAY + margin, older: midnight - margin }
}

/**
 * The newest last update of a view as a bound, with the documented scalar subquery as SQL. Reads the instant from the
 * whole view, else from MAX, else from deltas; undefined if all of these fail.
 */
export async function newestOf(t: Target, name: ViewName): Promise<NewestBound | undefined> {
  const maximum = `SELECT MAX(${column}) FROM ${name}`
  const all = await whole(t, name, [column])
  const asked = all ? undefined : await unlessRefused(t.select(maximum, [column]))
  const from = all ?? asked ?? (await unlessRefused(newestDelta(t, name)))
  const newest = latest(from?.rows ?? [])
  if (!from || newest === undefined) return undefined
  const unclear = asked ? SECOND : 0n
  return { sql: `(${maximum})`, newer: newest + unclear, older: newest - unclear, from }
}

/** A complete delta, which has the newest row. Each attempt starts at the end of the previous delta. */
async function newestDelta(t: Target, name: ViewName): Promise<Selection | undefined> {
  let newest = latest((await baseRows(t, name)).rows)
  for (let step = 0; newest !== undefined && step < 5; step++) {
    const date = dateOf(newest - MARGIN)
    if (date === undefined) return undefined
    const delta = await readDelta(t, name, await t.dateLiteral(date))
    if (delta.complete) return delta
    newest = latest(delta.rows)
  }
  return undefined
}

/** The newest instant in rows. The column of MAX has no documented name, so its first instant counts. */
function latest(rows: readonly JsonObject[]): bigint | undefined {
  if (rows.some((row) => column in row)) return maximumOf(rows)
  const values = rows.flatMap((row) => Object.values(row))
  return values.flatMap((value) => (typeof value === 'string' ? (instantOf(value) ?? []) : []))[0]
}
