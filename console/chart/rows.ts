import { formOf } from '../../schemas/reading/column-names.ts'
import type { Service } from '../service/service.ts'

/**
 * Sends a statement and returns its rows as arrays in the order of these columns. Services write names in other letter cases,
 * or none at all (rows.case, rows.shape); then the order of the statement counts.
 *
 * @throws StatementFailed
 */
export async function readRows(
  service: Service,
  columns: readonly string[],
  rest: string,
  signal?: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const answer = await service.ask(`SELECT ${columns.join(', ')} ${rest}`, { signal })
  const places = columns.map((name) => answer.columns.findIndex((other) => formOf(other) === formOf(name)))
  if (places.includes(-1)) return answer.rows
  return answer.rows.map((row) => places.map((place) => row[place]))
}
