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

/** A statement, and how its answers have to agree. */
export interface Question {
  sql: string
  /** The columns it names, in their order; undefined for those of the reference server's answer. */
  columns?: readonly string[]
  /** Whether `columns` stands for `*`, whose order is not shown. */
  star?: boolean
  ordered: boolean
  exact: boolean
  /** The rows to choose from, and how many are chosen, if LIMIT may take any. */
  choice?: { sql: string; limit: number; offset: number }
}

/** What came of asking both. */
export type Comparison =
  | { is: 'same'; rows: number }
  | ({ is: 'differs' } & Disagreement)
  | { is: 'refused'; reply: Reply }
  /** The answers cannot be compared. */
  | { is: 'unclear'; why: string }
  /** The target was overloaded, or is gone. */
  | { is: 'unserved'; why: string }

export interface Disagreement {
  difference: Difference
  exchange: Exchange
}

/** How the answers to a query have to agree. Only what is documented is held to every digit. */
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

/** The service is overloaded: these say nothing about the statement. */
const BUSY = [429, 502, 503, 504]

/** Sends the same statements to a target and the reference server. */
export class SideBySide {
  readonly target: Target
  readonly reference: ReferenceClient

  constructor(target: Target, reference: ReferenceClient) {
    this.target = target
    this.reference = reference
  }

  /** Asks both, and again if they disagree: an answer that changes is no evidence. */
  async compare(question: Question): Promise<Comparison> {
    const first = await this.#once(question)
    if (first.is !== 'differs') return first
    const again = await this.#once(question)
    if (again.is === 'differs') return again
    return { is: 'unclear', why: 'the same statement was answered in two ways' }
  }

  async #once(question: Question): Promise<Comparison> {
    const [expected, actual] = await Promise.all([
      this.reference.ask(question.choice?.sql ?? question.sql),
      this.target.query(question.sql),
    ])
    if (!expected.ok) return { is: 'unclear', why: `the reference answers ${describeReply(expected)}` }
    if (BUSY.includes(actual.status))
      return { is: 'unserved', why: `it was answered ${describeReply(actual)}` }
    if (!actual.ok) return { is: 'refused', reply: actual }
    const answers = readAnswers(question, expected, actual)
    if (!answers) return { is: 'unclear', why: 'rows are arrays without column names' }
    const found = difference(answers)
    if (!found) return { is: 'same', rows: answers.actual.length }
    if (looksCapped(answers)) return { is: 'unclear', why: 'the answer looks cut at a round number of rows' }
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

/** A cap on rows is not documented, and is a round number where services have one (rows.max). */
function looksCapped({ expected, actual, chosen }: Answers): boolean {
  const { length } = actual
  return length >= 100 && length % 100 === 0 && length < (chosen ?? expected.length)
}
