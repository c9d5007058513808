import { contract, type ViewName } from '../../../schemas/index.ts'
import { isWhole, type Selection, type Target } from '../target.ts'

const { column } = contract.delta
/** Maximum number of rows of a delta, below the row cap of 1000 that some services have. */
const MOST = 900

/** The id and last update of all rows of a view, or of its sample if the view is too large. */
export async function baseRows(t: Target, name: ViewName): Promise<Selection & { whole: boolean }> {
  const whole = await t.whole(name, ['id', column])
  return whole ? { ...whole, whole: true } : { ...(await t.sample(name)), whole: false }
}

/**
 * The rows newer than a bound. `complete` is false if LIMIT truncated them, or if a round number of rows suggests a cap on
 * rows (rows.max).
 *
 * @throws NotExercised when the delta is refused
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
