import { contract, type ViewName } from '../../../schemas/index.ts'
import { isWhole, type Selection, type Target } from '../target.ts'

const { column } = contract.delta
/** Rows of a delta that are fetched: below the thousand at which services are known to cut. */
const MOST = 900

/** Rows of a view with id and last update: all of them if the view is small enough. */
export async function baseRows(t: Target, name: ViewName): Promise<Selection & { whole: boolean }> {
  const whole = await t.whole(name, ['id', column])
  return whole ? { ...whole, whole: true } : { ...(await t.sample(name)), whole: false }
}

/**
 * The rows newer than a bound, cut if there are too many. `complete` is false if they were cut, or if their round number
 * looks like a cap (rows.max).
 *
 * @throws NotExercised when the delta is refused.
 */
export async function readDelta(
  t: Target,
  name: ViewName,
  bound: string,
): Promise<Selection & { complete: boolean }> {
  const sql = `SELECT id, ${column} FROM ${name} WHERE ${column} > ${bound} LIMIT ${t.rows(MOST)}`
  const delta = await t.selectOnce(sql, ['id', column])
  return { ...delta, complete: isWhole(delta) }
}
