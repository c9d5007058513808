import { contract, type ViewName } from '../../schemas/index.ts'
import { TransportError } from '../connection/http/transport-error.ts'
import { NotExercised } from '../connection/not-exercised.ts'
import type { Selection, Target } from '../connection/target.ts'
import { canonical } from '../connection/values/json.ts'
import { isCompleteBeside, largestOf, LONG } from './whole.ts'

/** Maximum number of rows of a view that is read whole, and of a generated statement. */
export const MOST_ROWS = 20_000
/** Maximum memory of an answer with a whole view, in bytes: its text and its values. */
const MOST_MEMORY = 32 * 1024 * 1024
/** A statement with more rows than any view that is read whole. */
const LONGEST = 'SELECT id, timestamp FROM v_timeseries_data LIMIT '

/** A number of rows that a cap on the responses of one view may have. */
const isRound = (count: number): boolean => count % 50 === 0 || count % 64 === 0

/**
 * All rows of a view that has too many for {@link whole}, or why it was not read: completes "v_x was not read whole: …". Counts its
 * rows in a narrow answer first, and estimates the memory of all columns from the sample.
 */
export async function wholeLarge(
  t: Target,
  name: ViewName,
  columns: readonly string[],
): Promise<Selection | string> {
  try {
    return await read(t, name, columns)
  } catch (error) {
    if (error instanceof NotExercised || error instanceof TransportError) return error.message
    throw error
  }
}

async function read(t: Target, name: ViewName, columns: readonly string[]): Promise<Selection | string> {
  const [key] = contract.keys[name] as [string]
  const limit = t.rows(MOST_ROWS + 1)
  const { rows: sample, reply } = await t.sample(name)
  const narrow = await t.selectOnce(`SELECT ${key} FROM ${name} LIMIT ${limit}`, [key])
  const count = narrow.rows.length
  if (count >= limit) return `it has at least ${limit} rows`
  const memory = (reply.exchange.response!.memory / Math.max(1, sample.length)) * count
  if (memory > MOST_MEMORY) return `its ${count} rows would take some ${Math.round(memory / 1024 / 1024)} MiB`
  const isWhole = async (longest: string) =>
    isCompleteBeside(narrow, largestOf([(await t.shared(longest)).data]))
  if (isRound(count) || !((await isWhole(LONG)) || (await isWhole(LONGEST + limit))))
    return `a cap on responses may have ended it after ${count} rows`
  const all = await t.selectOnce(`SELECT ${columns.join(', ')} FROM ${name} LIMIT ${limit}`, columns)
  const found = new Set(all.rows.map((row) => canonical(row[key] ?? null)))
  const hasAll = narrow.rows.every((row) => found.has(canonical(row[key] ?? null)))
  return hasAll ? all : `its rows with all columns ended after ${all.rows.length} of ${count}`
}
