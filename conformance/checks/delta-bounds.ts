import { contract, type ViewName } from '../../schemas/index.ts'
import type { DeltaBound } from '../comparisons/delta.ts'
import { dateOf, MARGIN } from '../comparisons/splitting-date.ts'
import { instantOf } from '../connection/instant.ts'
import type { JsonObject } from '../connection/json.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import { baseRows, readDelta } from '../connection/samples/delta.ts'
import type { Selection, Target } from '../connection/target.ts'
import { newest as newestInstant, updatedAt } from '../connection/updates.ts'

const { column } = contract.delta
/** A maximum may be printed with fewer digits than a column, so rows this close to it are not compared; in ns. */
const SECOND = 1_000_000_000n

/** A bound of a delta as SQL, and what the client knows of it. */
export interface Bound extends DeltaBound {
  /** What follows the `>`. */
  sql: string
  /** The rows that the bound was taken from, if writes could change it. */
  from?: Selection
}

/** Midnight of a date (`YYYY-MM-DD`) in an unknown zone. */
export async function boundAt(t: Target, date: string): Promise<Bound> {
  const midnight = instantOf(date)!
  return { sql: await t.dateLiteral(date), newer: midnight + MARGIN, older: midnight - MARGIN }
}

/**
 * The newest last update of a view as a bound, written as the documented scalar subquery. Taken from the rows of a view
 * that can be read whole, else from the target's MAX, else from deltas; undefined if none of these shows it.
 */
export async function newestOf(t: Target, name: ViewName): Promise<Required<Bound> | undefined> {
  const maximum = `SELECT MAX(${column}) FROM ${name}`
  const whole = await t.whole(name, [column])
  const asked = whole ? undefined : await unlessRefused(t.select(maximum, [column]))
  const from = whole ?? asked ?? (await unlessRefused(newestDelta(t, name)))
  const newest = latest(from?.rows ?? [])
  if (!from || newest === undefined) return undefined
  const unclear = asked ? SECOND : 0n
  return { sql: `(${maximum})`, newer: newest + unclear, older: newest - unclear, from }
}

/** A delta that is read to its end, and so holds the newest row: each delta begins where the one before ended. */
async function newestDelta(t: Target, name: ViewName): Promise<Selection | undefined> {
  let newest = latest((await baseRows(t, name)).rows)
  for (let step = 0; newest !== undefined && step < 5; step++) {
    const delta = await readDelta(t, name, await t.dateLiteral(dateOf(newest - MARGIN)))
    if (delta.complete) return delta
    newest = latest(delta.rows)
  }
  return undefined
}

/** The newest instant in some rows. The column of a maximum has no documented name, so its first value counts. */
function latest(rows: readonly JsonObject[]): bigint | undefined {
  const instants = rows.flatMap((row) => {
    const [value] = Object.values(row)
    return updatedAt(row) ?? (typeof value === 'string' ? (instantOf(value) ?? []) : [])
  })
  return newestInstant(instants)
}
