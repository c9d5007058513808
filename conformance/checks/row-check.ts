import type { ViewName } from '../../schemas/index.ts'
import {
  judgeRows,
  textOf,
  type Message,
  type Row,
  type RowRule,
  type RowViolation,
} from '../../invariants/index.ts'
import { rowsIn, type Answer } from '../answers/answers.ts'
import { askForAllColumns, askIfPossible } from '../answers/ask.ts'
import { keyColumns } from '../comparisons/projection.ts'
import type { Exchange } from '../connection/exchange.ts'
import { plain, show, type Json, type JsonObject } from '../connection/json.ts'
import { rowsOf } from '../connection/rows.ts'
import type { Target } from '../connection/target.ts'
import { check, compared, fail, type Check, type Finding } from './check.ts'

/** A check that judges the rows of every answer by a rule. The rule names the requirement. */
export interface RowCheck extends Pick<Check, 'id' | 'title' | 'killedBy'> {
  rule: RowRule
  /** The views to sample. Default: those of the rule. */
  views?: readonly ViewName[]
  /** What is so if no row breaks the rule: completes "12 rows: …". */
  pass: string
  /** The number of rows of a view below which nothing is proven. Default: 1 */
  atLeast?: number
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
    run: (t) => judgeAnswers(t, views, how),
  })
}

/** A violation with the view it is in, and the answer that shows it. */
interface Found extends RowViolation {
  view: ViewName
  answer: Answer
  /** The row in all answers. */
  place: string
}

async function judgeAnswers(
  t: Target,
  views: readonly ViewName[],
  { rule, pass, atLeast = 1, note }: Pick<RowCheck, 'rule' | 'pass' | 'atLeast' | 'note'>,
): Promise<Finding> {
  const found: Found[] = []
  let [rowsJudged, proof, noted, answers] = [0, 0, 0, 0]
  for (const view of views) {
    // A view that is missing does not hide violations in the others.
    if (views.length > 1 && !(await t.exists(view))) continue
    const { rows: sampled } = await t.sample(view)
    await askForAllColumns(t, view)
    for (const row of sampled) noted += note?.count(plainRow(row), view) ?? 0
    for (const { rows, columns, joined, answer } of rowsIn(t, view)) {
      // A join repeats rows, so it says nothing about rules among rows.
      if (joined && rule.amongRows) continue
      const { judged, violations } = judgeRows(rule, view, rows.map(plainRow), columns)
      if (judged === 0) continue
      answers++
      for (const violation of violations)
        found.push({ ...violation, view, answer, place: `${answers} ${violation.row}` })
      rowsJudged += judged
      if (judged >= atLeast) proof += judged
    }
  }
  const rest = note && noted > 0 ? { notes: [`${noted} ${note.text}`] } : {}
  const counted = answers === 1 ? '1 answer' : `${answers} answers`
  if (found.length === 0) return compared(proof, 'row', `${pass}, in ${counted}`, rest)
  const exchange = await narrowest(t, rule, found[0]!)
  return { ...failure(found, exchange, `${rowsJudged} rows in ${counted}`), ...rest }
}

/** The exchange that shows a violation: only the key and the column of the violation, if they show it as well. */
async function narrowest(t: Target, rule: RowRule, { view, column, answer }: Found): Promise<Exchange> {
  let shown = answer.reply.exchange
  if (rule.amongRows) return shown
  const columns = [...new Set([...keyColumns(view), column])]
  const limit = answer.statement?.limit
  const sql = `SELECT ${columns.join(', ')} FROM ${view}${limit === undefined ? '' : ` LIMIT ${limit}`}`
  await askIfPossible(async () => {
    const reply = await t.shared(sql)
    const rows = rowsOf(reply, columns, true)?.rows.map(plainRow) ?? []
    if (judgeRows(rule, view, rows, columns).violations.some((one) => one.column === column))
      shown = reply.exchange
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
function failure(found: readonly Found[], exchange: Exchange, judged: string): Finding {
  const byColumn = new Map<string, Found[]>()
  for (const one of found) {
    const column = `${one.view}.${one.column}`
    byColumn.set(column, [...(byColumn.get(column) ?? []), one])
  }
  const columns = [...byColumn]
  const broken = new Set(found.map(({ place }) => place)).size
  const named = columns
    .slice(0, NAMED)
    .map(([column, [first]]) => `${column} is ${textFor(first!.actual, 60)}`)
  const more = columns.length > NAMED ? [`${columns.length - NAMED} more columns`] : []
  const expected = new Set(columns.map(([, [first]]) => textFor(first!.expected)))
  return fail({
    message: `${[...named, ...more].join('; ')} (${broken} of ${judged})`,
    expected:
      expected.size === 1 && columns.length > 1
        ? [...expected].join()
        : columns.map(([column, [first]]) => `${column}: ${textFor(first!.expected)}`).join('; '),
    actual: columns.map(([column, all]) => `${column}: ${example(all)}`).join('; '),
    columns: columns.map(([, [first]]) => ({ view: first!.view, column: first!.column })),
    exchanges: [exchange],
  })
}

/** The first of some violations and the number of their rows. */
function example(all: readonly Found[]): string {
  const [first] = all
  const rows = new Set(all.map(({ place }) => place)).size
  return `${textFor(first!.actual)} in row ${first!.row + 1}${rows === 1 ? '' : ` and in ${rows - 1} more`}`
}

/** A message whose values are shown as row values are. */
const textFor = (message: Message, length = 300): string =>
  textOf(message, (value) => show(value as Json, length))
