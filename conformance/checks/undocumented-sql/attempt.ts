import { compared, fail, notExercised, type Finding } from '../check.ts'
import { canonical, isObject, show, type Json, type JsonObject } from '../../connection/json.ts'
import { describeReply, type Reply } from '../../connection/reply.ts'
import { rowsOf } from '../../connection/rows.ts'
import { multiset, type Selection, type Target } from '../../connection/target.ts'
import { findConcurrentChange } from '../findings/concurrent-change.ts'

/** Rows of an answer as lists of values, for single columns that have no documented name. */
export function valuesOf(reply: Reply, columns: readonly string[]): Json[][] {
  const { rows } = rowsOf(reply, columns, true) ?? { rows: [] }
  return rows.map((row) => Object.values(row))
}

export interface Beyond {
  /** What it is, to begin a sentence: "ORDER BY". */
  kind: string
  /** Statements that are sent one after the other, as long as each is accepted. */
  statements: readonly string[]
  /** Names of the columns of each, in its order. */
  columns: readonly string[]
  /** What the client knows, read again where the answers differ. */
  bases: readonly Selection[]
  /** How many things the answers have in common with it, or what is wrong. */
  judge(answers: readonly Answer[]): number | { expected: string; actual: string }
}

export interface Answer {
  rows: JsonObject[]
  values: Json[][]
}

/**
 * Tries what the contract leaves open. Refused it is only recorded; accepted it has to mean what SQL says, which is
 * recorded too, for no entry of the register obliges to it.
 */
export async function beyond(t: Target, attempt: Beyond): Promise<Finding> {
  const { kind, statements, columns, bases } = attempt
  const answers: Answer[] = []
  const exchanges = []
  for (const sql of statements) {
    const reply = await t.shared(sql)
    exchanges.push(reply.exchange)
    if (!reply.ok)
      return { outcome: 'observed', message: `${kind} is refused: ${describeReply(reply)}`, exchanges }
    const set = rowsOf(reply, columns, true)
    if (!set) return notExercised('rows are arrays without column names', { exchanges })
    answers.push({ rows: set.rows, values: valuesOf(reply, columns) })
  }
  const judged = attempt.judge(answers)
  if (typeof judged === 'number')
    return compared(judged, 'row', `${kind} is accepted, and means what SQL says`)
  const change = await findConcurrentChange(t, 'compared', ...bases)
  return change ?? fail({ message: `${kind} is accepted, but not as SQL means it`, ...judged, exchanges })
}

/** Compares two collections in any order. */
export function sameAs(expected: readonly Json[], actual: readonly Json[]): ReturnType<Beyond['judge']> {
  if (multiset(expected) === multiset(actual)) return actual.length
  const known = new Set(expected.map(canonical))
  const stranger = actual.find((value) => !known.has(canonical(value)))
  return {
    expected: `${expected.length} rows`,
    actual: `${actual.length} rows${stranger === undefined ? '' : `, among them ${show(stranger)}`}`,
  }
}

/** The number that a count answered with; NaN where it is none. */
export const numberIn = (value: Json | undefined): number =>
  value === undefined || value === null || isObject(value)
    ? Number.NaN
    : Number(String(value).replaceAll('"', ''))

/** What stands for a row in comparisons: its id. */
export const idsOf = (rows: readonly JsonObject[]): Json[] => rows.map(({ id }) => id ?? null)

/** Another answer than the client's own. */
export const wrong = (expected: unknown, actual: unknown) => ({
  expected: String(expected),
  actual: String(actual),
})
