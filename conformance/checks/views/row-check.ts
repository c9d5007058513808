import { contract, type ViewName } from '../../../schemas/index.ts'
import {
  judgeEach,
  judgeRows,
  textOf,
  type Message,
  type Row,
  type RowRule,
  type RowViolation,
} from '../../../invariants/index.ts'
import { rowsIn, type Answer, type ViewRows } from '../../answers/answers.ts'
import { askForAllColumns, askIfPossible } from '../../answers/ask.ts'
import type { Exchange } from '../../connection/http/exchange.ts'
import { plain, show, type Json, type JsonObject } from '../../connection/values/json.ts'
import { rowsOf } from '../../connection/rows.ts'
import type { Target } from '../../connection/target.ts'
import { check, compared, fail, notExercised, type Check, type Finding } from '../check.ts'

/** A check that judges the rows of every answer by a rule. The rule names the requirement. */
export interface RowCheck extends Pick<Check, 'id' | 'title' | 'killedBy'> {
  rule: RowRule
  /** The views to sample. Default: those of the rule. */
  views?: readonly ViewName[]
  /** What is so if no row breaks the rule: completes "12 rows: …". */
  pass: string
  /** The number of rows of a view below which nothing is proven. Default: 1 */
  atLeast?: number
  /** What a violation has in common with those of other checks, see {@link Finding.cause}. */
  cause?: (expected: string, actual: string) => string
  /** A note on values that the rule permits: their number in a row, and a sentence that follows their total. */
  note?: { count(row: Row, view: ViewName): number; text: string }
}

/** Defines a check that judges the rows of every answer. It reads a sample first, so that at least one answer has rows. */
export const rowCheck = ({ id, title, killedBy, ...how }: RowCheck): Check => {
  const views = how.views ?? how.rule.views
  const requirement = how.rule.requirement(views[0]!)
  return check({
    id,
    title,
    killedBy,
    requirement,
    phase: 'answers',
    ask: async (t) => {
      for (const view of views) await askIfPossible(() => readRows(t, view))
    },
    run: (t) => judgeAnswers(t, views, how),
    *prepare(t) {
      for (const view of views) for (const one of judgeable(t, how.rule, view)) yield judged(how.rule, one)
    },
  })
}

/** The rows of a view that a rule can judge. A join repeats rows, so it says nothing about rules among rows. */
const judgeable = (t: Target, rule: RowRule, view: ViewName) =>
  [...rowsIn(t, view)].filter(({ joined }) => !(joined && rule.amongRows))

/** What a rule found in the rows of one answer. */
interface Judged {
  /** The number of rows judged. */
  rows: number
  /** The number of rows with a violation. */
  broken: number
  /** By column: the first violation, and the number of rows with one. There may be millions. */
  columns: Map<string, { first: RowViolation; rows: number }>
}

const known = new WeakMap<RowRule, WeakMap<ViewRows['rows'], Judged>>()

/** Judges the rows of an answer by a rule, once. */
function judged(rule: RowRule, { view, rows, columns }: ViewRows): Judged {
  const ofRule = known.get(rule) ?? new WeakMap<ViewRows['rows'], Judged>()
  known.set(rule, ofRule)
  const before = ofRule.get(rows)
  if (before) return before
  const found: Judged = { rows: 0, broken: 0, columns: new Map() }
  for (const violations of judgeEach(rule, view, rows.map(plainRow), columns)) {
    found.rows++
    if (violations.length > 0) found.broken++
    for (const column of new Set(violations.map((violation) => violation.column))) {
      const same = found.columns.get(column)
      if (same) same.rows++
      else found.columns.set(column, { first: violations.find((one) => one.column === column)!, rows: 1 })
    }
  }
  ofRule.set(rows, found)
  return found
}

/** The first violation of a column with the answer that shows it, and the number of rows. */
interface Found {
  first: RowViolation & { view: ViewName; answer: Answer }
  rows: number
}

/** Reads rows of a view, so that at least one answer has some. */
async function readRows(t: Target, view: ViewName): Promise<readonly JsonObject[]> {
  const { rows } = await t.sample(view)
  await askForAllColumns(t, view)
  return rows
}

async function judgeAnswers(
  t: Target,
  views: readonly ViewName[],
  { rule, pass, atLeast = 1, cause, note }: Pick<RowCheck, 'rule' | 'pass' | 'atLeast' | 'cause' | 'note'>,
): Promise<Finding> {
  const found = new Map<string, Found>()
  let [rowsRead, rowsJudged, rowsBroken, proof, noted, answers, values] = [0, 0, 0, 0, 0, 0, 0]
  for (const view of views) {
    // A view that is missing does not hide violations in the others.
    if (views.length > 1 && !(await t.exists(view))) continue
    for (const row of await readRows(t, view)) noted += note?.count(plainRow(row), view) ?? 0
    for (const one of judgeable(t, rule, view)) {
      const { rows, broken, columns } = judged(rule, one)
      rowsRead += one.rows.length
      if (rule.column) values += one.rows.filter((row) => (row[rule.column!] ?? null) !== null).length
      rowsBroken += broken
      for (const [column, { first, rows }] of columns) {
        const key = `${view}.${column}`
        const before = found.get(key)
        if (before) before.rows += rows
        else found.set(key, { first: { ...first, view, answer: one.answer }, rows })
      }
      if (rows === 0) continue
      answers++
      rowsJudged += rows
      if (rows >= atLeast) proof += rows
    }
  }
  const rest = note && noted > 0 ? { notes: [`${noted} ${note.text}`] } : {}
  const counted = answers === 1 ? '1 answer' : `${answers} answers`
  const [one] = found.values()
  if (!one && rowsJudged === 0 && values > 0)
    return notExercised(
      `none of the ${values} values of ${views[0]}.${rule.column} has the documented type, see REQ-VIEW-TYPES:${views[0]}`,
    )
  if (!one && rowsRead > 0 && rowsJudged === 0)
    return notExercised('there were rows, but without a value to judge', rest)
  if (!one && rowsJudged > 0 && proof === 0)
    return notExercised(`the check needs ${atLeast} rows to judge in one answer`, rest)
  if (!one) return compared(proof, 'row', `${pass}, in ${counted}`, rest)
  const exchange = await narrowest(t, rule, one)
  const causes = new Set(
    cause && [...found.values()].map(({ first }) => cause(textFor(first.expected), textFor(first.actual))),
  )
  return {
    ...failure(found, exchange, `${rowsBroken} of ${rowsJudged} rows in ${counted}`),
    ...(causes.size === 1 && { cause: [...causes].join() }),
    ...rest,
  }
}

/** The exchange that shows a violation: only the key and the column, and only the rows up to the violation, if they show it too. */
async function narrowest(t: Target, rule: RowRule, { first }: Found): Promise<Exchange> {
  const { view, column, answer, row } = first
  let shown = answer.reply.exchange
  if (rule.amongRows) return shown
  const columns = [...new Set([...contract.keys[view], column])]
  await askIfPossible(async () => {
    for (const limit of new Set([row + 1, answer.statement?.limit])) {
      const sql = `SELECT ${columns.join(', ')} FROM ${view}${limit === undefined ? '' : ` LIMIT ${limit}`}`
      const reply = await t.shared(sql)
      const rows = rowsOf(reply, columns, true)?.rows.map(plainRow) ?? []
      if (!judgeRows(rule, view, rows, columns).violations.some((one) => one.column === column)) continue
      shown = reply.exchange
      return
    }
  })
  return shown
}

const plainRows = new WeakMap<JsonObject, Row>()

/** A row with ordinary numbers, as rules read it; converted once for all rules. */
function plainRow(row: JsonObject): Row {
  const known = plainRows.get(row)
  if (known) return known
  const made = plain(row) as Row
  plainRows.set(row, made)
  return made
}

/** Columns that a message names; `expected` and `actual` name all. */
const NAMED = 3

/** One failure for all violations, with an example of each column. */
function failure(found: ReadonlyMap<string, Found>, exchange: Exchange, broken: string): Finding {
  const columns = [...found]
  const named = columns
    .slice(0, NAMED)
    .map(([column, { first }]) => `${column} is ${textFor(first.actual, 60)}`)
  const more = columns.length > NAMED ? [`${columns.length - NAMED} more columns`] : []
  const expected = new Set(columns.map(([, { first }]) => textFor(first.expected)))
  return fail({
    message: `${[...named, ...more].join('; ')} (${broken})`,
    expected:
      expected.size === 1 && columns.length > 1
        ? [...expected].join()
        : columns.map(([column, { first }]) => `${column}: ${textFor(first.expected)}`).join('; '),
    actual: columns.map(([column, all]) => `${column}: ${example(all)}`).join('; '),
    columns: columns.map(([, { first }]) => ({ view: first.view, column: first.column })),
    exchanges: [exchange],
  })
}

/** The first of some violations and the number of their rows. */
const example = ({ first, rows }: Found): string =>
  `${textFor(first.actual)} in row ${first.row + 1}${rows === 1 ? '' : ` and in ${rows - 1} more`}`

/** A message whose values are shown as row values are. */
const textFor = (message: Message, length = 300): string =>
  textOf(message, (value) => show(value as Json, length))
