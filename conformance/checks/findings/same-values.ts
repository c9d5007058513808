import { contract, view as viewOf, type ViewName } from '../../../schemas/index.ts'
import { answerOf, rowsIn } from '../../answers/answers.ts'
import { askDocumentedForms } from '../../answers/ask.ts'
import { differences, readerOf, type Difference, type Shown } from '../../answers/differences.ts'
import { keyedRows } from '../../answers/keyed-rows.ts'
import { movedRows } from '../../answers/moving.ts'
import { isSameText, isSameValue } from '../../comparisons/same-value.ts'
import { LONG_LIMIT } from '../../samples/whole.ts'
import type { Target } from '../../connection/target.ts'
import { show } from '../../connection/values/json.ts'
import { compared, fail, inconclusive, observed, warn, type Finding } from '../check.ts'
import { pairsOf, repeat, type Judge } from './repeated-pair.ts'

/** Most pairs of statements that a check repeats because their answers differ. Without concurrent writes, one suffices. */
const MOST_REPEATED = 20
/** The same for rows at rest. A vendor fixes the first ones first. */
const MOST_AT_REST = 3

/** Repeated pairs of a view without a difference after which a row counts as changed if its last_updated_at moved. */
const ENOUGH_REPEATED = 2

const isAlike = (one: Shown, other: Shown): boolean => isSameText(one.value, other.value)

const isThird = (one: Shown, { first, second }: Difference): boolean =>
  !isAlike(one, first) && !isAlike(one, second)

/** Whether two answers show the same last_updated_at beside a value; undefined if one shows none. */
const haveOneTime = (one: Shown, other: Shown): boolean | undefined =>
  one.time === null || other.time === null ? undefined : isSameValue(one.time, other.time)

/** A difference is proven if every answer to a statement shows one value, and every answer to the other another one. */
const everyTime: Judge = (_, [ones, others], isLast) => {
  const [one, other] = [ones[0], others[0]]
  const isSteady =
    one !== undefined &&
    other !== undefined &&
    ones.every((each) => each && isAlike(each, one)) &&
    others.every((each) => each && isAlike(each, other) && haveOneTime(each, one) !== false) &&
    !isAlike(one, other)
  return isSteady ? (isLast ? 'proven' : 'open') : 'refuted'
}

/**
 * A difference is proven if answers show both values again. A third value follows from the time, such as a duration until now; a
 * copy that is behind has another `last_updated_at`.
 */
const againAtRest: Judge = (difference, seen) => {
  const { first, second } = difference
  const all = seen.flat().filter((each) => each !== undefined)
  if (all.some((each) => isThird(each, difference) || haveOneTime(each, first) === false)) return 'refuted'
  return [first, second].every((side) => all.some((each) => isAlike(each, side))) ? 'proven' : 'open'
}

/** Reads the keys of all rows, which {@link sameValues} needs. */
export function* readKeys(t: Target): Generator<unknown> {
  for (const view of contract.views) for (const one of rowsIn(t, view)) yield keyedRows(one)
}

/**
 * The run of a check that compares the values of rows in all answers, whichever check asked. It fails if repetitions show a
 * difference every time.
 *
 * @param joined whether to compare answers of joins; otherwise those over single views
 */
export const sameValues =
  (joined: boolean) =>
  async (t: Target): Promise<Finding> => {
    await askDocumentedForms(t)
    const { all, values, rows } = differences(t, { joined, atRest: false })
    /** Rows that changed during the run, as view and key. */
    const changed = new Set<string>()
    /** The views of the repeated pairs. */
    const repeated: ViewName[] = []
    /** The views whose moved rows count as changed. */
    const moving = new Set<ViewName>()
    for (const pair of pairsOf(all)) {
      const [{ view }] = pair
      const isEnough = repeated.filter((each) => each === view).length >= ENOUGH_REPEATED
      if (isEnough && !moving.has(view)) for (const key of movedRows(t, view)) changed.add(`${view} ${key}`)
      if (isEnough) moving.add(view)
      const [one, ...more] = pair.filter(({ key }) => !changed.has(`${view} ${key}`))
      if (!one) continue
      if (repeated.push(view) > MOST_REPEATED) return changedMeanwhile(one)
      const found = await repeat(t, [one, ...more], everyTime)
      for (const [difference, is] of found)
        if (is === 'proven' && !(await isComputed(t, difference))) return fail(differs(difference))
      const unseen = [one, ...more].find(({ first, second }) => haveOneTime(first, second))
      if (unseen) return changedMeanwhile(unseen)
      for (const { key } of [one, ...more]) changed.add(`${view} ${key}`)
    }
    if (all[0] && changed.size * 2 > rows) return changedMeanwhile(all[0])
    const found = compared(values, 'value', 'the same in every answer')
    return changed.size === 0
      ? found
      : { ...found, message: `${found.message}, but for ${changed.size} rows that changed meanwhile` }
  }

const changedMeanwhile = ({ view, column, first, second }: Difference): Finding =>
  inconclusive(`${column} of a row of ${view} changed while answers were compared`, {
    exchanges: [first, second].map(({ answer }) => answer.reply.exchange),
  })

/**
 * The run of a check that compares the values of rows at rest in all answers. It fails if the repeated statements show both
 * values again, which a copy that is behind cannot: it has the earlier `last_updated_at` as well.
 *
 * @param joined whether to compare answers of joins; otherwise those over single views
 */
export const valuesAtRest =
  (joined: boolean) =>
  async (t: Target): Promise<Finding> => {
    await askDocumentedForms(t)
    const { all, values } = differences(t, { joined, atRest: true })
    if (values === 0) return observed('no row at rest was shown twice')
    let once: Difference | undefined
    let changing = 0
    for (const pair of pairsOf(all).slice(0, MOST_AT_REST))
      for (const [difference, is] of await repeat(t, pair, againAtRest))
        if (is === 'proven' && !(await isComputed(t, difference))) return fail(differsAtRest(difference))
        else if (is === 'open') once ??= difference
        else changing++
    if (once)
      return warn({
        ...differsAtRest(once),
        notes: ['Repetitions of both statements did not show it again.'],
      })
    const notes = [`${changing} values of rows change, although their ${contract.delta.column} does not.`]
    return compared(values, 'value', 'the same at one last_updated_at', changing > 0 ? { notes } : {})
  }

/** Whether a statement that no cache knows shows a third value, which therefore follows from the time. */
async function isComputed(t: Target, difference: Difference): Promise<boolean> {
  const { view, column } = difference
  const columns = [...new Set([...contract.keys[view], column])].join(', ')
  const limit = t.rows(LONG_LIMIT - Math.ceil(Math.random() * 1000))
  const { exchange } = await t.query(`SELECT ${columns} FROM ${view} LIMIT ${limit}`)
  const shown = readerOf(answerOf(exchange), view)(difference)
  return shown !== undefined && isThird(shown, difference)
}

function differs({ view, key, column, first, second }: Difference) {
  const { format } = viewOf(view).columns.find(({ name }) => name === column)!
  return {
    message: `two answers show different values of ${column} for the row ${show(key)} of ${view}`,
    expected: `one value${format ? ', however it is spelled' : ''}`,
    actual: `${show(first.value)} for \`${first.answer.sql}\`, ${show(second.value)} for \`${second.answer.sql}\``,
    exchanges: [first, second].map(({ answer }) => answer.reply.exchange),
  }
}

function differsAtRest(difference: Difference) {
  const found = differs(difference)
  return {
    ...found,
    message: `${found.message}, which has not changed since ${show(difference.first.time)}`,
    expected: `one value for each ${contract.delta.column}`,
  }
}
