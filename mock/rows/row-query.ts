import type { ViewName } from '../../schemas/generated/types.ts'
import { keyColumns } from '../engine/views/overlay-sql.ts'
import type { Micros } from '../../base/time/micros.ts'
import { sqlLiteral } from '../../base/text/sql-literal.ts'
import { microsecondsOf, readTimestamp } from '../../base/time/timestamp.ts'
import { contract } from '../../schemas/contract.ts'
import type { Overlay, StatementEngine } from '../statement.ts'

/** A row as the engine prints it. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Reads rows of the plant with an overlay. */
export type RowQuery = (statement: string) => Promise<StoredRow[]>

/** How much longer than a statement test control may take, in milliseconds: an engine may take over all rows of the session. */
const patienceMs = 600_000

/** The engine and the current overlay are asked for with each statement, which the signal ends. */
export function rowQuery(
  engine: () => StatementEngine,
  overlay: () => Overlay | undefined,
  signal: AbortSignal = new AbortController().signal,
): RowQuery {
  return async (statement) => {
    const rows = overlay()
    const { chunks } = await engine().execute(statement, {
      signal,
      owner: 'test control',
      limitShiftMs: patienceMs,
      ...(rows && { overlay: rows }),
    })
    const parts: Uint8Array[] = []
    for await (const chunk of chunks) parts.push(chunk)
    const decoder = new TextDecoder()
    const json = parts.map((part) => decoder.decode(part, { stream: true })).join('')
    return JSON.parse(`[${json}]`) as StoredRow[]
  }
}

/** The microseconds since 1970 of a value, in UTC if it names no zone; undefined if it is no timestamp. */
export function microsIn(value: unknown): Micros | undefined {
  const timestamp = readTimestamp(String(value))
  return timestamp && microsecondsOf(timestamp)
}

/** A list of literals for IN. */
export const literals = (texts: Iterable<unknown>): string =>
  Array.from(texts, (text) => sqlLiteral(String(text))).join(', ')

/** A reference between two views. */
export interface Relation {
  readonly from: ViewName
  readonly column: string
  readonly to: ViewName
}

/** The contract's relations, and that of a run to its experiment. */
export const relations: readonly Relation[] = [...contract.relations, contract.parent].map(({ from, to }) => {
  const [view, column] = from.split('.') as [ViewName, string]
  return { from: view, column, to: to.split('.')[0] as ViewName }
})

/** A text that is equal for rows with the same key. */
export function keyOf(view: ViewName): (row: StoredRow) => string {
  const columns = keyColumns(view)
  return (row) =>
    JSON.stringify(columns.map(([name, type]) => (type === 'text' ? row[name] : microsIn(row[name]))))
}

/** The last row of each key. */
export function lastOfEach<Row extends StoredRow>(view: ViewName, rows: readonly Row[]): Row[] {
  const key = keyOf(view)
  return [...new Map(rows.map((row) => [key(row), row])).values()]
}
