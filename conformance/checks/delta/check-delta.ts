import { changeInWords } from '../../comparisons/row-changes.ts'
import { contract, type ViewName } from '../../../schemas/index.ts'
import { compareDelta } from '../../comparisons/delta.ts'
import { marginOf, splittingDate } from '../../comparisons/splitting-date.ts'
import { show } from '../../connection/values/json.ts'
import { baseRows, readDelta } from '../../samples/delta.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { newest, oldest, updatesOf } from '../../connection/values/updates.ts'
import { fail, inconclusive, type Finding } from '../check.ts'
import { boundAt, type Bound } from './bounds.ts'
import { findConcurrentChange, unchangedRows } from '../findings/concurrent-change.ts'
import { dateOf, DAY, midnightOf } from '../../connection/values/instant.ts'

const BEFORE_1970 = midnightOf('1960-01-01')

/** A delta without a known error. */
export interface GoodDelta {
  /** Known rows that the delta correctly contains or omits; 0 if the delta is incomplete. */
  rows: number
  /** Rows of the delta that are certainly newer than the bound. */
  newer: number
  delta: Selection
}

/**
 * Compares a delta with rows read before: it must contain every newer row and no older row. Inconclusive if rows changed
 * meanwhile.
 *
 * @throws NotExercised when the delta is refused
 */
export async function checkDelta(
  t: Target,
  name: ViewName,
  base: Selection & { whole: boolean },
  bound: Bound,
): Promise<Finding | GoodDelta> {
  const delta = await readDelta(t, name, bound.sql)
  const { stale, missing, newer, confirmed } = compareDelta(base.rows, delta.rows, bound)
  const good: GoodDelta = { rows: delta.complete ? confirmed : 0, newer, delta }
  if (stale.length === 0 && (missing.length === 0 || !delta.complete)) return good
  // Another check may have read the delta earlier, so read it again.
  const again = (await t.readAgain(delta)) ?? delta
  const change = await findConcurrentChange(t, 'compared', bound.from)
  if (change) return change
  // A concurrent change excuses only the changed rows.
  const unchanged = stale.length === 0 ? await unchangedRows(t, 'compared', base) : undefined
  if (unchanged?.change && unchanged.unseen) return unchanged.change
  const lost = missing.filter((row) => unchanged?.rows.includes(row))
  if (unchanged && lost.length === 0) return good
  const second = compareDelta(unchanged ? lost : base.rows, again.rows, bound)
  const [wrong, verb, rest, expected] = unchanged
    ? ([second.missing, 'lacks', 'newer', 'every row newer'] as const)
    : ([second.stale, 'contains', 'older', 'no row older'] as const)
  if (!wrong[0])
    return inconclusive(changeInWords(name, delta, again, 'compared'), {
      concurrentChange: true,
      exchanges: [delta.reply.exchange, again.reply.exchange],
    })
  const { shown = bound.sql } = bound
  return fail({
    message: `the delta of ${name} above ${shown} ${verb} ${wrong.length} ${wrong.length === 1 ? 'row' : 'rows'} ${rest} than the bound`,
    expected: `${expected} than ${shown}`,
    actual: `${verb} ${show(wrong[0]['id'])}, updated ${show(wrong[0][contract.delta.column])}`,
    // an older row above a literal is wrong whatever other answers show
    exchanges: [...(unchanged || bound.from ? [base.reply.exchange] : []), again.reply.exchange],
  })
}

/** Checks the delta since a date that splits the known rows of a view; undefined if no date does. */
export async function sinceDate(t: Target, name: ViewName): Promise<Finding | GoodDelta | undefined> {
  const base = await baseRows(t, name)
  const margin = marginOf(base.rows)
  // The contract does not say whether "after a date" means after its midnight or after its end.
  const date = splittingDate(updatesOf(base.rows), margin, DAY + margin)
  return date === undefined ? undefined : checkDelta(t, name, base, await boundAt(t, date, margin))
}

/**
 * Checks the delta since a date before the oldest row, which must have all rows, and since a date after the newest row,
 * which must have none; without such a date, like {@link sinceDate}. Undefined if the view cannot be read whole.
 */
export async function sinceOuterDates(t: Target, name: ViewName): Promise<Finding | GoodDelta | undefined> {
  const base = await baseRows(t, name)
  const instants = updatesOf(base.rows)
  const [first, last] = [oldest(instants), newest(instants)]
  if (!base.whole || instants.length < 2 || first === undefined || last === undefined) return undefined
  const margin = marginOf(base.rows)
  const before = first - margin - DAY
  // A date before 1970 tests negative numbers too.
  const dates = [dateOf(before < BEFORE_1970 ? before : BEFORE_1970), dateOf(last + margin + DAY)]
  let all: GoodDelta | undefined
  for (const date of dates) {
    if (date === undefined) continue
    const found = await checkDelta(t, name, base, await boundAt(t, date, margin))
    if ('outcome' in found) return found
    all = { ...found, rows: found.rows + (all?.rows ?? 0) }
  }
  return all ?? sinceDate(t, name)
}
