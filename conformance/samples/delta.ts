import { contract, type ViewName } from '../../schemas/index.ts'
import type { Selection, Target } from '../connection/target.ts'
import { isComplete, whole } from './whole.ts'

const { column } = contract.delta
/** Maximum number of rows of a delta, below the row cap of 1000 that some services have. */
const MOST = 900

/** The id and last update of all rows of a view, or of its sample if the view is too large. */
export async function baseRows(t: Target, name: ViewName): Promise<Selection & { whole: boolean }> {
  const all = await whole(t, name, ['id', column])
  return all ? { ...all, whole: true } : { ...(await t.sample(name)), whole: false }
}

/**
 * The rows newer than a bound. `complete` is false if LIMIT or a cap on responses may have truncated them.
 *
 * @throws NotExercised when the delta is refused
 */
export async function readDelta(
  t: Target,
  name: ViewName,
  bound: string,
): Promise<Selection & { complete: boolean }> {
  const sql = `SELECT id, ${column} FROM ${name} WHERE ${column} > ${bound}`
  const delta = await t.selectLimited(sql, ['id', column], MOST)
  return { ...delta, complete: await isComplete(t, delta) }
}
