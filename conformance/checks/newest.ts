import { contract, type ViewName } from '../../schemas/index.ts'
import { instantOf } from '../connection/instant.ts'
import type { JsonObject } from '../connection/json.ts'
import { unlessRefused } from './findings/refused.ts'
import type { Selection, Target } from '../connection/target.ts'
import { baseRows, dateOf, MARGIN, readDelta, type Bound } from './delta-rows.ts'
import { newest as newestInstant, updatedAt } from '../connection/updates.ts'

const { column } = contract.delta
/** A maximum may be printed with fewer digits than a column: rows this close to it are not judged. */
const SECOND = 1_000_000_000n

/**
 * The newest last update of a view as a bound, written as the documented scalar subquery. Found in its rows
 * where all of them can be read, else asked for, else folded from deltas. Undefined where none of it tells.
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

/** A delta short enough to be read to its end, which holds the newest row: the next begins where the last led. */
async function newestDelta(t: Target, name: ViewName): Promise<Selection | undefined> {
  let newest = latest((await baseRows(t, name)).rows)
  for (let step = 0; newest !== undefined && step < 5; step++) {
    const delta = await readDelta(t, name, await t.dateLiteral(dateOf(newest - MARGIN)))
    if (delta.complete) return delta
    newest = latest(delta.rows)
  }
  return undefined
}

/** The column of a maximum has a name that is not documented: the first value of its row counts. */
function latest(rows: readonly JsonObject[]): bigint | undefined {
  const instants = rows.flatMap((row) => {
    const [value] = Object.values(row)
    return updatedAt(row) ?? (typeof value === 'string' ? (instantOf(value) ?? []) : [])
  })
  return newestInstant(instants)
}
