import type { Exchange } from '../connection/exchange.ts'
import { isObject, type JsonObject } from '../connection/json.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import { rowsOf } from '../connection/rows.ts'
import type { Target } from '../connection/target.ts'
import { documentedKind } from './classify.ts'
import { columnNames, isTotallyOrdered } from './columns.ts'
import type { Answers } from './answers.ts'
import { difference, type Difference } from './compare.ts'
import type { ReferenceClient } from './reference.ts'
import { render } from './render.ts'
import type { Query } from './syntax.ts'

/** A statement, and the rules for comparing its rows. */
export interface Question {
  sql: string
  /** The columns of the statement, in order; undefined for the columns of the reference. */
  columns?: readonly string[]
  /** Whether `columns` replaces `*`, whose order is unknown. */
  star?: boolean
  ordered: boolean
  exact: boolean
  /** The statement without LIMIT and OFFSET, and both numbers, if LIMIT may choose any rows. */
  choice?: { sql: string; limit: number; offset: number }
}

/** The result of a comparison. */
export type Comparison =
  | { is: 'same'; rows: number }
  | ({ is: 'differs' } & Disagreement)
  | { is: 'refused'; reply: Reply }
  /** The replies cannot be compared. */
  | { is: 'unclear'; why: string }
  /** The target is overloaded or unreachable. */
  | { is: 'unserved'; why: string }

export interface Disagreement {
  difference: Difference
  exchange: Exchange
}

/** The rules for a query. Only documented statements are compared to the last digit. */
export function questionOf(query: Query): Question {
  const { limit, offset, orderBy: _, ...all } = query
  const ordered = isTotallyOrdered(query)
  const chosen = !ordered && (limit !== undefined || offset !== undefined)
  return {
    sql: render(query),
    columns: columnNames(query),
    star: query.items.includes('*'),
    ordered,
    exact: documentedKind(query) !== undefined,
    ...(chosen ? { choice: { sql: render(all), limit: limit ?? Infinity, offset: offset ?? 0 } } : {}),
  }
}

/** Statuses of an overloaded target, which say nothing about the statement. */
const BUSY = [429, 502, 503, 504]

/** Sends the same statements to a target and to the reference. */
export class SideBySide {
  readonly target: Target
  readonly reference: ReferenceClient

  constructor(target: Target, reference: ReferenceClient) {
    this.target = target
    this.reference = reference
  }

  /** Compares both replies, and again if they differ: a reply that changes proves nothing. */
  async compare(question: Question): Promise<Comparison> {
    const first = await this.#once(question)
    if (first.is !== 'differs') return first
    const again = await this.#once(question)
    if (again.is === 'differs') return again
    return { is: 'unclear', why: 'the same statement got two different replies' }
  }

  async #once(question: Question): Promise<Comparison> {
    const [expected, actual] = await Promise.all([
      this.reference.ask(question.choice?.sql ?? question.sql),
      this.target.query(question.sql),
    ])
    if (!expected.ok) return { is: 'unclear', why: `the reference sent ${describeReply(expected)}` }
    if (BUSY.includes(actual.status))
      return { is: 'unserved', why: `the target sent ${describeReply(actual)}` }
    if (!actual.ok) return { is: 'refused', reply: actual }
    const answers = readAnswers(question, expected, actual)
    if (!answers) return { is: 'unclear', why: 'rows are arrays without column names' }
    const found = difference(answers)
    if (!found) return { is: 'same', rows: answers.actual.length }
    if (looksCapped(answers)) return { is: 'unclear', why: 'a round number of rows suggests a cap on rows' }
    return { is: 'differs', difference: found, exchange: actual.exchange }
  }
}

function readAnswers(question: Question, expected: Reply, actual: Reply): Answers | undefined {
  const { star = false, ordered, exact, choice } = question
  const all = expected.data.filter(isObject) as JsonObject[]
  const columns = question.columns ?? Object.keys(all[0] ?? {})
  const rows = rowsOf(actual, columns, !star)?.rows
  if (!rows) return undefined
  const chosen = choice && { chosen: Math.max(0, Math.min(choice.limit, all.length - choice.offset)) }
  return { columns, expected: all, actual: rows, ordered, exact, ...chosen }
}

/** Whether a round number of rows suggests a cap on rows (rows.max). */
function looksCapped({ expected, actual, chosen }: Answers): boolean {
  const { length } = actual
  return length >= 100 && length % 100 === 0 && length < (chosen ?? expected.length)
}
