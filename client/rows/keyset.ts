import { ClientUsageError } from '../errors.ts'
import { quote } from '../literals.ts'
import type { Row } from './rows.ts'

/** Reads rows of a view with these clauses. */
export type ReadPage = (part: {
  where?: string | undefined
  orderBy?: string
  limit?: number
}) => Promise<Row[]>

export interface KeysetStart {
  /** The condition of the first page. */
  readonly start?: string | undefined
  /** The condition of all pages. */
  readonly base?: string | undefined
  readonly pageSize: number
}

/**
 * Pages of a view in the order of some columns. Each page begins with the last row of the previous page, so that rows
 * with equal values are not split; the caller omits repeated rows. The last page ends with its first row. A short page
 * is not a sign of the end, because the service may have truncated it. (No client can detect a service that silently
 * truncates a page between rows with one printed time and several stored times.)
 *
 * The contract does not document ORDER BY and row comparisons: a service may reject them.
 *
 * @param columns the order: the time of change and the ids, or the id and the time of points
 */
export async function* keysetPages(
  read: ReadPage,
  columns: readonly string[],
  { start, base, pageSize }: KeysetStart,
): AsyncGenerator<Row[]> {
  if (pageSize < 2)
    throw new ClientUsageError(
      `pageSize is ${pageSize}. Give at least 2: each page begins with the last row of the page before.`,
    )
  const orderBy = columns.join(', ')
  const within = (condition: string | undefined) =>
    [base, condition].filter(Boolean).join(' AND ') || undefined
  let where = within(start)
  let position: string | undefined
  for (;;) {
    const page = await read({ where, orderBy, limit: pageSize })
    yield page
    const last = page.at(-1)
    if (last === undefined) return
    const values = columns.map((column) => quote(String(last[column]))).join(', ')
    if (values === position) {
      if (page.length < pageSize) return
      throw new ClientUsageError(
        `A page of ${pageSize} rows ends where it began: the rows have one printed time. Give a larger pageSize.`,
      )
    }
    position = values
    where = within(`(${orderBy}) >= (${values})`)
  }
}
