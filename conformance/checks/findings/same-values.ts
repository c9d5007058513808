import { contract, view as viewOf, type ViewName } from '../../../schemas/index.ts'
import { answerOf, rowsIn, type Answer, type ViewRows } from '../../answers/answers.ts'
import { askDocumentedForms } from '../../answers/ask.ts'
import { keyedRows } from '../../answers/keyed-rows.ts'
import { anyMoment, movedRows } from '../../answers/moving.ts'
import { isSameValue } from '../../comparisons/same-value.ts'
import type { Target } from '../../connection/target.ts'
import { show, type Json } from '../../connection/values/json.ts'
import { compared, fail, inconclusive, type Finding } from '../check.ts'

/** A value of a row, with the answer that shows it. */
interface Shown {
  value: Json
  answer: Answer
}

interface Difference {
  view: ViewName
  /** The values of the key columns. */
  key: string
  column: string
  first: Shown
  second: Shown
}

/** The values of rows: by key, then by column. */
type Values = Map<string, Map<string, Shown>>

/** The rows of an answer with their keys, and its columns. */
function identified(one: ViewRows) {
  // sql.select-all and sql.select-named find columns that an answer lacks.
  return {
    all: keyedRows(one),
    columns: one.columns.filter((column) => one.rows.some((row) => column in row)),
  }
}

/**
 * Values that an answer shows differently from the first answer over one view.
 *
 * @param joined whether to compare answers of joins; otherwise those over single views
 * @param count is told the number of values compared
 */
function* differences(t: Target, joined: boolean, count: (values: number) => void): Generator<Difference> {
  for (const view of contract.views) {
    const found = [...rowsIn(t, view)]
    const known = firstValues(found.filter((one) => !one.joined))
    if (known.size < 2) continue
    for (const one of found.filter((each) => each.joined === joined)) {
      const { all, columns } = identified(one)
      for (const { key, row } of all) {
        const values = known.get(key)
        if (!values) continue
        for (const column of columns) {
          const first = values.get(column)
          if (!first || first.answer === one.answer) continue
          count(1)
          const value = row[column] ?? null
          if (!isSameValue(first.value, value))
            yield { view, key, column, first, second: { value, answer: one.answer } }
        }
      }
    }
  }
}

/** The first value of each column of each row, by key. Leaves out keys that an answer over one view repeats. */
function firstValues(found: readonly (ViewRows & { answer: Answer })[]): Values {
  const known = new Map<string, Map<string, Shown>>()
  const repeated = new Set<string>()
  for (const one of found) {
    const { all, columns } = identified(one)
    const own = new Set<string>()
    if (!one.joined) for (const { key } of all) (own.has(key) ? repeated : own).add(key)
    for (const { key, row } of all) {
      const values = known.get(key) ?? new Map<string, Shown>()
      known.set(key, values)
      for (const column of columns)
        if (!values.has(column)) values.set(column, { value: row[column] ?? null, answer: one.answer })
    }
  }
  // A record may be archived twice, so such a key names no single row.
  for (const key of repeated) known.delete(key)
  return known
}

/** Most pairs of statements that a check repeats because their answers differ. Without concurrent writes, one suffices. */
const MOST_REPEATED = 20

/** Repeated pairs of a view without a difference after which a row counts as changed if its last_updated_at moved. */
const ENOUGH_REPEATED = 2

/** The rows of a view in one answer. */
const valuesIn = (view: ViewName, answer: Answer): Values =>
  firstValues(answer.rows.filter((one) => one.view === view).map((one) => ({ ...one, answer })))

/** Whether two answers show a column of a row, and the same value. Undefined if one does not show it. */
function isAlike(one: Shown | undefined, other: Shown | undefined): boolean | undefined {
  return one && other && isSameValue(one.value, other.value)
}

/** A round asks each of two statements twice, in one of these orders, so that copies that take turns mix differently. */
const ORDERS = ['1122', '1221', '2112', '2211', '1212', '2121']

/** How often a difference has to show. */
const ROUNDS = 9

/**
 * Asks two statements twice each, in any order. @returns the differences between rows that both answers of each statement show
 * alike, if nothing shows that the row was updated in between; and the answers
 */
async function round(t: Target, { view, first, second }: Difference) {
  const [ones, others]: [Values[], Values[]] = [[], []]
  for (const which of ORDERS[Math.floor(Math.random() * ORDERS.length)]!) {
    const [asked, shown] = which === '1' ? [first, ones] : [second, others]
    shown.push(valuesIn(view, answerOf((await t.query(asked.answer.sql!)).exchange)))
  }
  const [one, oneAgain] = ones as [Values, Values]
  const [other, otherAgain] = others as [Values, Values]
  const found = new Map<string, Difference>()
  for (const [key, row] of other) {
    const time = (values: Values) => values.get(key)?.get(contract.delta.column)
    if (isAlike(time(one), time(other)) === false) continue
    for (const [column, shown] of row) {
      const known = one.get(key)?.get(column)
      const isStill =
        isAlike(known, oneAgain.get(key)?.get(column)) && isAlike(shown, otherAgain.get(key)?.get(column))
      if (isStill && isAlike(known, shown) === false)
        found.set(`${key} ${column}`, { view, key, column, first: known!, second: shown })
    }
  }
  return { found, one: oneAgain, other: otherAgain }
}

/**
 * Repeats two statements in several rounds.
 *
 * @returns a difference that every round shows, or the keys of the rows that have changed since the run asked
 */
async function repeat(t: Target, difference: Difference): Promise<Difference | Set<string>> {
  const { view, first, second } = difference
  let { found, one, other } = await round(t, difference)
  for (let n = 1; n < ROUNDS && found.size > 0; n++) {
    await anyMoment(t)
    const again = await round(t, difference)
    found = new Map([...found].filter(([key]) => again.found.has(key)))
    ;({ one, other } = again)
  }
  for (const each of found.values()) return each
  const changed = new Set<string>()
  for (const [earlier, later] of [
    [valuesIn(view, first.answer), one],
    [valuesIn(view, second.answer), other],
  ] as const)
    for (const [key, row] of earlier)
      for (const [column, shown] of row)
        if (isAlike(shown, later.get(key)?.get(column)) === false) changed.add(key)
  return changed
}

/** Reads the keys of all rows, which {@link sameValues} needs. */
export function* readKeys(t: Target): Generator<unknown> {
  for (const view of contract.views) for (const one of rowsIn(t, view)) yield keyedRows(one)
}

/**
 * The run of a check that compares the values of rows in all answers, whichever check asked.
 *
 * @param joined whether to compare answers of joins; otherwise those over single views
 */
export const sameValues =
  (joined: boolean) =>
  async (t: Target): Promise<Finding> => {
    await askDocumentedForms(t)
    let count = 0
    /** The views of the repeated pairs. */
    const repeated: ViewName[] = []
    const moved = new Map<ViewName, Set<string>>()
    /** Rows that changed during the run, as view and key. */
    const changed = new Set<string>()
    const all = [...differences(t, joined, (values) => (count += values))]
    for (const difference of all) {
      const { view, key } = difference
      if (changed.has(`${view} ${key}`)) continue
      const repeatedOfView = repeated.filter((each) => each === view).length
      if (repeatedOfView >= ENOUGH_REPEATED) {
        const rows = moved.get(view) ?? movedRows(t, view)
        moved.set(view, rows)
        if (rows.has(key)) {
          changed.add(`${view} ${key}`)
          continue
        }
      }
      if (repeated.push(view) > MOST_REPEATED) return changedMeanwhile(difference)
      const found = await repeat(t, difference)
      if (!(found instanceof Set)) return differs(found)
      if (hasSameTime(difference)) return changedMeanwhile(difference)
      for (const each of found.add(key)) changed.add(`${view} ${each}`)
    }
    if (all[0] && changed.size * 2 > rowsComparedOf(t)) return changedMeanwhile(all[0])
    const found = compared(count, 'value', 'the same in every answer')
    return changed.size === 0
      ? found
      : { ...found, message: `${found.message}, but for ${changed.size} rows that changed meanwhile` }
  }

/** Whether both answers show the same `last_updated_at` for the row, although another value differs. */
const hasSameTime = ({ view, key, first, second }: Difference): boolean => {
  const [one, other] = [first, second].map(({ answer }) =>
    valuesIn(view, answer).get(key)?.get(contract.delta.column),
  )
  return isAlike(one, other) === true
}

/** The number of rows with a key in all answers. */
const rowsComparedOf = (t: Target): number =>
  contract.views.reduce((sum, view) => sum + firstValues([...rowsIn(t, view)]).size, 0)

const changedMeanwhile = ({ view, column, first, second }: Difference): Finding =>
  inconclusive(`${column} of a row of ${view} changed while answers were compared`, {
    concurrentChange: true,
    exchanges: [first, second].map(({ answer }) => answer.reply.exchange),
  })

function differs({ view, key, column, first, second }: Difference): Finding {
  const { format } = viewOf(view).columns.find(({ name }) => name === column)!
  return fail({
    message: `two answers show different values of ${column} for the row ${show(key)} of ${view}`,
    expected: `one value${format ? ', however it is spelled' : ''}`,
    actual: `${show(first.value)} for \`${first.answer.sql}\`, ${show(second.value)} for \`${second.answer.sql}\``,
    exchanges: [first, second].map(({ answer }) => answer.reply.exchange),
  })
}
