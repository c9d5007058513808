import type { ViewName } from '../../../schemas/generated/types.ts'
import { keyColumns } from '../../engine/views/overlay-sql.ts'
import { microsIn, type StoredRow } from './row-query.ts'

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
