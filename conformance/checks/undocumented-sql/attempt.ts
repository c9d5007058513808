import { compared, fail, notExercised, type Finding } from '../check.ts'
import { canonical, isObject, show, type Json, type JsonObject } from '../../connection/json.ts'
import { describeReply, type Reply } from '../../connection/reply.ts'
import { rowsOf } from '../../connection/rows.ts'
import { multiset, type Selection, type Target } from '../../connection/target.ts'
import { findConcurrentChange } from '../findings/concurrent-change.ts'

/** Rows of an answer as lists of values, for columns without a documented name. */
function valuesOf(reply: Reply, columns: readonly string[]): Json[][] {
  const { rows } = rowsOf(reply, columns, true) ?? { rows: [] }
  return rows.map((row) => Object.values(row))
}

export interface Attempt {
  /** Begins a sentence: "ORDER BY". */
  kind: string
  /** Statements that are sent one after the other until one is refused. */
  statements: readonly string[]
  /** Names of the columns of each, in its order. */
  columns: readonly string[]
  /** The rows that the client compares with, read again if the answers differ. */
  bases: readonly Selection[]
  /** How many things were compared, or what differs. */
  compare(answers: readonly Answer[]): number | { expected: string; actual: string }
}

export interface Answer {
  rows: JsonObject[]
  values: Json[][]
}

/** Tries undocumented SQL. The target may refuse it; if it accepts it, the answer should be the one that SQL defines. */
export async function attempt(t: Target, { compare, ...rest }: Attempt): Promise<Finding> {
  const { kind, statements, columns, bases } = rest
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
  const result = compare(answers)
  if (typeof result === 'number')
    return compared(result, 'row', `${kind} is accepted, and means what SQL says`)
  const change = await findConcurrentChange(t, 'compared', ...bases)
  return change ?? fail({ message: `${kind} is accepted, but not as SQL means it`, ...result, exchanges })
}

/** Compares two collections, in any order. */
export function sameAs(expected: readonly Json[], actual: readonly Json[]): ReturnType<Attempt['compare']> {
  if (multiset(expected) === multiset(actual)) return actual.length
  const known = new Set(expected.map(canonical))
  const stranger = actual.find((value) => !known.has(canonical(value)))
  return {
    expected: `${expected.length} rows`,
    actual: `${actual.length} rows${stranger === undefined ? '' : `, among them ${show(stranger)}`}`,
  }
}

/** The number in the answer to a COUNT; NaN if it is none. */
export const numberIn = (value: Json | undefined): number =>
  value === undefined || value === null || isObject(value)
    ? Number.NaN
    : Number(String(value).replaceAll('"', ''))

export const idsOf = (rows: readonly JsonObject[]): Json[] => rows.map(({ id }) => id ?? null)

/** A difference between the client's own answer and the target's. */
export const wrong = (expected: unknown, actual: unknown) => ({
  expected: String(expected),
  actual: String(actual),
})
