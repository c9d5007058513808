import type { ViewName } from '../../schemas/index.ts'
import type { JsonObject } from '../connection/values/json.ts'
import type { DocumentedKind } from './statements/classify.ts'
import { BATCHES } from './statements/edges.ts'
import { columnNames, type Query } from './statements/syntax.ts'

/** A statement that was served. */
interface Known {
  query: Query
  /** The number of rows of its answer. */
  rows: number
}

/** What the answers of one kind show only with enough rows, and do not show: a pass says nothing about it. */
export function notReached(
  kind: DocumentedKind,
  rowsOf: (view: ViewName) => readonly JsonObject[],
  answers: readonly Known[],
): string | undefined {
  const isSplit = ({ query: { after, from, join }, rows }: Known) =>
    after !== undefined && rows > 0 && (join !== undefined || rows < rowsOf(from.view).length)
  const isOfNulls = ({ query }: Known) => {
    const [name, ...others] = columnNames(query)
    const values = new Set(rowsOf(query.from.view).map((row) => (name && row[name]) ?? null))
    return others.length === 0 && values.size > 1 && values.has(null)
  }
  if (kind === 'select')
    return answers.some(isOfNulls) ? undefined : 'a single column with null and other values'
  if (kind !== 'limit') return answers.some(isSplit) ? undefined : UNSPLIT[kind]
  const limits = BATCHES.filter((n) => !answers.some(({ query, rows }) => query.limit === n && rows === n))
  return limits.length === 0 ? undefined : `LIMIT ${limits.join(', ')} (no answer has as many rows)`
}

const UNSPLIT = {
  'delta-by-date': 'a date with rows before and after it',
  'delta-by-newest': 'the newest row of a view with rows of another before and after it',
  join: 'a join with WHERE that returns rows',
}
