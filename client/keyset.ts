import { ClientError } from './errors.ts'
import { quote } from './literals.ts'
import type { Row } from './rows.ts'

/** Reads the rows of a view that meet a condition. */
export type ReadPage = (part: {
  where?: string | undefined
  orderBy?: string
  limit?: number
}) => Promise<Row[]>

/**
 * Pages of a view in the order of its time of change. Each begins with the row that the one before it ended with, so
 * that rows of equal time and ids are not split; the caller leaves out what it knows. The last page ends where it begins:
 * a short page may only be one that the service cut. (What no client can see: a service that cuts pages without a word
 * in the middle of rows that print one time and are stored with several.)
 *
 * ORDER BY and the comparison of rows are not documented: a service may refuse them.
 *
 * @param columns the time of change and the ids
 * @param literal where the first page begins, as SQL
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
      throw new ClientError(`${pageSize} rows of a page print the same time. Give a larger pageSize.`)
    }
    position = values
    where = `(${orderBy}) >= (${values})`
  }
}
