import { ClientUsageError } from './errors.ts'
import { quote } from './literals.ts'
import type { Row } from './rows.ts'

/** Reads rows of a view with these clauses. */
export type ReadPage = (part: {
  where?: string | undefined
  orderBy?: string
  limit?: number
}) => Promise<Row[]>

/**
 * Pages of a view in the order of the time of change. Each page begins with the last row of the previous page, so that rows
 * with equal time and ids are not split; the caller omits repeated rows. The last page ends with its first row. A short page
 * is not a sign of the end, because the service may have truncated it. (No client can detect a service that silently
 * truncates a page between rows with one printed time and several stored times.)
 *
 * The contract does not document ORDER BY and row comparisons: a service may reject them.
 *
 * @param columns the time of change and the ids
 * @param literal the start of the first page, as SQL
 */
export async function* keysetPages(
  read: ReadPage,
  columns: readonly string[],
  literal: string | undefined,
  pageSize: number,
): AsyncGenerator<Row[]> {
  const orderBy = columns.join(', ')
  let where = literal && `${columns[0]} >= ${literal}`
  let position: string | undefined
  for (;;) {
    const page = await read({ where, orderBy, limit: pageSize })
    yield page
    const last = page.at(-1)
    if (last === undefined) return
    const values = columns.map((column) => quote(String(last[column]))).join(', ')
    if (values === position) {
      if (page.length < pageSize) return
      throw new ClientUsageError(`All ${pageSize} rows of a page have the same time. Give a larger pageSize.`)
    }
    position = values
    where = `(${orderBy}) >= (${values})`
  }
}
