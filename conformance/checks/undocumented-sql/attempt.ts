import { compared, fail, notExercised, type Finding } from '../check.ts'
import { canonical, isObject, show, type Json, type JsonObject } from '../../connection/json.ts'
import type { Exchange } from '../../connection/exchange.ts'
import { describeReply, type Reply } from '../../connection/reply.ts'
import { rowsOf } from '../../connection/rows.ts'
import { isComplete } from '../../connection/samples/whole.ts'
import { multiset, pick, type Selection, type Target } from '../../connection/target.ts'
import { findConcurrentChange } from '../findings/concurrent-change.ts'

/** The members, other than the selected column, that the target adds to its rows. */
async function furtherMembers(t: Target): Promise<string[]> {
  const [row = {}] = rowsOf(await t.baseline(), ['id'], true)?.rows ?? []
  return Object.keys(row).filter((key) => key !== 'id')
}

export interface Attempt {
  /** Subject of the message: "ORDER BY". */
  kind: string
  /** Statements, sent in order until one is refused. */
  statements: readonly string[]
  /** Column names of each statement, in order. */
  columns: readonly string[]
  /** The rows for the comparison, read again if there is a difference. */
  bases: readonly Selection[]
  /** Returns the number of comparisons, or the difference. */
  compare(answers: readonly Answer[]): number | { expected: string; actual: string }
}

export interface Answer {
  rows: JsonObject[]
  values: Json[][]
}

/** Tries undocumented SQL. The target may refuse it; if it accepts it, the rows should be those that SQL defines. */
export async function attempt(t: Target, { compare, ...rest }: Attempt): Promise<Finding> {
  const { kind, statements, columns, bases } = rest
  const answers: Answer[] = []
  const further = await furtherMembers(t)
  const replies: Reply[] = []
  const exchanges: Exchange[] = []
  for (const sql of statements) {
    const reply = await t.shared(sql)
    replies.push(reply)
    exchanges.push(reply.exchange)
    if (!reply.ok)
      return { outcome: 'observed', message: `${kind} is refused: ${describeReply(reply)}`, exchanges }
    const set = rowsOf(reply, columns, true)
    if (!set) return notExercised('rows are arrays without column names', { exchanges })
    const rows = set.rows.map((row) =>
      pick(
        row,
        Object.keys(row).filter((key) => !further.includes(key)),
      ),
    )
    answers.push({ rows, values: rows.map((row) => Object.values(row)) })
  }
  const result = compare(answers)
  if (typeof result === 'number')
    return compared(result, 'row', `${kind} is accepted with the result that SQL defines`)
  for (const [index, sql] of statements.entries()) {
    const reply = replies[index]!
    const reachesLimit = reply.data.length >= Number(/ LIMIT (\d+)$/.exec(sql)?.[1] ?? Infinity)
    if (!reachesLimit && !(await isComplete(t, { sql, reply })))
      return notExercised('a cap on responses may have ended one', { exchanges })
  }
  const change = await findConcurrentChange(t, 'compared', ...bases)
  return (
    change ??
    fail({ message: `${kind} is accepted, but has another result than SQL defines`, ...result, exchanges })
  )
}

/** Compares two lists in any order. */
export function sameAs(expected: readonly Json[], actual: readonly Json[]): ReturnType<Attempt['compare']> {
  if (multiset(expected) === multiset(actual)) return actual.length
  const known = new Set(expected.map(canonical))
  const unknown = actual.find((value) => !known.has(canonical(value)))
  return {
    expected: `${expected.length} rows`,
    actual: `${actual.length} rows${unknown === undefined ? '' : `, among them ${show(unknown)}`}`,
  }
}

/** The number in a COUNT; NaN if it is not a number. */
export const numberIn = (value: Json | undefined): number =>
  value === undefined || value === null || isObject(value)
    ? Number.NaN
    : Number(String(value).replaceAll('"', ''))

export const idsOf = (rows: readonly JsonObject[]): Json[] => rows.map(({ id }) => id ?? null)

/** A difference between the result in the client and that of the target. */
export const wrong = (expected: unknown, actual: unknown) => ({
  expected: String(expected),
  actual: String(actual),
})
