import type { Row } from './asker.ts'
import { BudgetSpent } from './budget.ts'
import type { Reader } from './reader.ts'
import { keyOf } from './statements.ts'
import { dateLiteral } from '../../literals.ts'
import { compareTimes } from './times.ts'

/** The first LIMIT, and how much larger each next one is: a service is not asked at once for a million rows. */
const FIRST_LIMIT = 1000
const GROWTH = 10
/** The largest LIMIT, so that an answer fits into memory. */
const LARGEST_LIMIT = 300_000
/** Answers of more rows are not repeated with their ids alone. */
const MOST_REPEATED = 20_000

/** What statements with LIMIT show of a view. */
export type Whole =
  /** All rows, as far as documented statements tell. */
  | { readonly kind: 'whole'; readonly rows: Row[] }
  /** The largest answer; the service or this client allows no larger one. */
  | { readonly kind: 'part'; readonly rows: Row[]; readonly limit: number; readonly why: string }
  /** The budget ended the reading. */
  | { readonly kind: 'spent'; readonly rows: Row[]; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }

/** Reads a view with growing LIMITs until an answer has fewer rows than its LIMIT. */
export async function readWhole(reader: Reader): Promise<Whole> {
  let rows: Row[] = []
  try {
    for (let limit = FIRST_LIMIT, tooMuch: string | undefined; ;) {
      const asked = Math.min(limit, reader.budget.rowsLeft())
      const answer = await reader.page({ limit: asked })
      if (answer.rows) {
        rows = answer.rows
        if (rows.length < asked) return await judged(reader, rows)
        if (tooMuch !== undefined) return { kind: 'part', rows, limit: asked, why: tooMuch }
        if (asked >= LARGEST_LIMIT)
          return { kind: 'part', rows, limit: asked, why: `The view has more than ${asked} rows.` }
        if (asked < limit) reader.budget.rowsLeft()
        limit = Math.min(asked * GROWTH, LARGEST_LIMIT)
      } else {
        if (answer.tooMuch === undefined) return { kind: 'refused', why: answer.refused }
        if (rows.length > 0) return { kind: 'part', rows, limit: rows.length, why: answer.tooMuch }
        if (asked === 1) return { kind: 'refused', why: answer.tooMuch }
        tooMuch = answer.tooMuch
        const { cutTo = 0 } = answer
        limit = cutTo > 0 && cutTo < asked ? cutTo : Math.ceil(asked / GROWTH)
      }
    }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    return { kind: 'spent', rows, why: error.message }
  }
}

/** Tests whether the service cut an answer without notice, with documented statements. */
async function judged(reader: Reader, rows: Row[]): Promise<Whole> {
  const { view, sizes } = reader
  const cut = (why: string): Whole => ({ kind: 'part', rows, limit: rows.length, why })
  if (sizes.isShared(view, rows.length)) return cut(`The service returns at most ${rows.length} rows.`)
  if (sizes.mayBeCap(view, rows.length) && (await hidesChanges(reader, rows)))
    return cut(`The service returns at most ${rows.length} rows.`)
  if (await hidesIds(reader, rows)) return cut('The service cuts large answers short.')
  return { kind: 'whole', rows }
}

/** Whether the newest changes include rows that the answer lacks. */
async function hidesChanges(reader: Reader, rows: readonly Row[]): Promise<boolean> {
  const { view, columns } = reader
  if (!columns.some(({ name }) => name === 'last_updated_at')) return false
  const times = rows.map((row) => String(row['last_updated_at'])).toSorted(compareTimes)
  const recent = times.at(-Math.ceil(Math.min(times.length / 2, FIRST_LIMIT / 2)))!
  const newer = await reader.page({
    where: `last_updated_at > ${dateLiteral(recent, reader.dateLiteral)}`,
    limit: FIRST_LIMIT,
  })
  const key = (row: Row): string => JSON.stringify(keyOf(view).columns.map((column) => row[column]))
  const known = new Set(rows.map(key))
  return newer.rows?.some((row) => !known.has(key(row))) ?? false
}

/** Whether an answer with ids alone, which is shorter, has more rows. */
async function hidesIds(reader: Reader, rows: readonly Row[]): Promise<boolean> {
  if (rows.length === 0 || rows.length > MOST_REPEATED) return false
  const key = keyOf(reader.view).columns[0]
  const column = reader.columns.filter(({ name }) => name === key)
  const ids = await reader.page({ limit: rows.length + 1 }, column)
  return (ids.rows?.length ?? 0) > rows.length
}
