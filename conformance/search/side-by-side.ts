import { anyMoment } from '../answers/moving.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { isObject, type Json, type JsonObject } from '../connection/values/json.ts'
import { Unserved } from '../connection/http/transport-error.ts'
import { readReply, type Reply } from '../connection/http/reply.ts'
import { rowsOf, UNKNOWN_SHAPE } from '../connection/rows.ts'
import type { Target } from '../connection/target.ts'
import { columnNames, type Query } from './statements/syntax.ts'
import { difference, type Difference } from './results/compare.ts'
import { render } from './statements/render.ts'
import type { Results } from './results/results.ts'

/** A statement to send. */
export interface Asked {
  sql: string
  query: Query
}

/** Knows the rows that a statement must return. */
export interface RowSource {
  /** The rows of a statement, or why they are not known. */
  expected(asked: Asked): Promise<{ rows: Json[] } | { unknown: string }>
  /** Why a difference proves nothing; undefined if it proves a defect. */
  excuse(asked: Asked, reply: Reply, results: Results): Promise<string | undefined>
  /** The exchanges that show the expected rows. */
  shownBy?(asked: Asked): Exchange[]
  /** Whether two stored values count as equal. Default: only if they are equal to the last digit. */
  near?: Results['near']
  /** Writes a value in a report. Default: in full */
  show?: Results['show']
}

/** A statement, and the rules for comparing its rows. */
export interface Question extends Asked {
  /** The columns of the statement, in order. */
  columns: readonly string[]
  /** Whether `columns` replaces `*`, whose order is unknown. */
  star: boolean
  /** The statement without LIMIT, which may choose any of its rows. */
  choice?: Asked & { limit: number }
}

/** The result of a comparison. */
export type Comparison =
  | { is: 'same'; rows: number }
  | ({ is: 'differs' } & Disagreement)
  | { is: 'refused'; reply: Reply }
  /** The replies cannot be compared, or the statement was not sent because its rows are not known. */
  | { is: 'unclear'; why: string; isUnsent?: true }
  /** The reply says nothing about the statement. */
  | { is: 'unserved'; why: string; reply: Reply }

export interface Disagreement {
  difference: Difference
  /** Those that show the expected rows first, then that of the statement. */
  exchanges: Exchange[]
}

/** The rules for a query. */
export function questionOf(query: Query): Question {
  const { limit, ...all } = query
  return {
    sql: render(query),
    query,
    columns: columnNames(query),
    star: query.items.includes('*'),
    ...(limit !== undefined && { choice: { sql: render(all), query: all, limit } }),
  }
}

/** How often a difference has to show again. */
const REPETITIONS = 4

/** A reply that says nothing about its statement. @throws any other error */
function unservedOr(error: unknown) {
  if (!(error instanceof Unserved)) throw error
  return { is: 'unserved', why: error.message, reply: readReply(error.exchange) } as const
}

/** Compares the replies of a target with the rows that a source expects. */
export class SideBySide<Source extends RowSource = RowSource> {
  readonly target: Target
  readonly source: Source
  readonly #first: (sql: string) => Promise<Reply>

  /** @param first sends a statement for the first time. Default: like any other */
  constructor(
    target: Target,
    source: Source,
    first = (sql: string) => target.query(sql, { isForgotten: true }),
  ) {
    this.target = target
    this.source = source
    this.#first = first
  }

  /**
   * Compares the reply of the target, and a second one if it differs: a reply that changes proves nothing.
   *
   * @param confirm false for a reply that need not be proven, as one of many while a statement is shrunk
   */
  async compare(question: Question, confirm = true): Promise<Comparison> {
    const first = await this.judge(question, this.#first)
    if (first.is !== 'differs' || !confirm) return first
    const again = await this.judgeAgain(question)
    if (again.is !== 'differs') return { is: 'unclear', why: 'the same statement got two different replies' }
    const [one, other] = [first.results.actual.length, again.results.actual.length]
    if (one !== other) return { is: 'unclear', why: `the same statement returned ${one} and ${other} rows` }
    const { reply, results, ...differs } = again
    const excuse = await this.source.excuse(question, reply, results)
    return excuse === undefined ? differs : { is: 'unclear', why: excuse }
  }

  /** Whether a statement differs each time: rows that come and go, and copies that take turns, differ only sometimes. */
  async differsAlways(question: Question): Promise<boolean> {
    for (let n = 0; n < REPETITIONS; n++) {
      await anyMoment(this.target)
      if ((await this.compare(question)).is !== 'differs') return false
    }
    return true
  }

  /** Compares another reply with the expected rows, never one that is known. */
  judgeAgain(question: Question) {
    return this.judge(question, (sql) => this.target.query(sql, { isForgotten: true }))
  }

  /** Compares one reply with the expected rows. Calls `send` only if these are known. */
  async judge(question: Question, send: (sql: string) => Promise<Reply>) {
    const expected = await this.source.expected(question.choice ?? question)
    if ('unknown' in expected) return { is: 'unclear', why: expected.unknown, isUnsent: true } as const
    const actual = await send(question.sql).catch(unservedOr)
    if ('is' in actual) return actual
    if (!actual.ok) return { is: 'refused', reply: actual } as const
    const results = this.#results(question, expected.rows, actual)
    if (!results) return { is: 'unclear', why: UNKNOWN_SHAPE } as const
    const found = difference(results)
    if (!found) return { is: 'same', rows: results.actual.length } as const
    const exchanges = [...(this.source.shownBy?.(question) ?? []), actual.exchange]
    return { is: 'differs', difference: found, exchanges, reply: actual, results } as const
  }

  #results(question: Question, expected: readonly Json[], actual: Reply): Results | undefined {
    const { columns, star, choice } = question
    const all = expected.filter(isObject) as JsonObject[]
    const rows = rowsOf(actual, columns, !star)?.rows
    if (!rows) return undefined
    const chosen = choice && { chosen: Math.min(choice.limit, all.length) }
    const { near, show } = this.source
    return {
      columns,
      expected: all,
      actual: rows,
      ...(near && { near }),
      ...(show && { show }),
      ...chosen,
    }
  }
}
