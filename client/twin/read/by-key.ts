import type { Row } from './asker.ts'
import { ascends } from './key-order.ts'
import type { Batch, Position, Reader, ViewEnd } from './reader.ts'
import { after, keyOf } from './statements.ts'

type KeyPosition = Extract<Position, { by: 'key' }>

/**
 * Reads a view in the order of its key, page by page. The contract documents neither ORDER BY nor these comparisons. Rows that
 * share a key may be on two pages, so a page of such a view begins with the last key, and repeated rows are left out. The reading
 * ends with a page whose keys do not ascend: rows would be missed, or stored twice.
 *
 * @param limit rows of a page
 * @param from where an earlier reading stopped
 */
export async function* readByKey(
  reader: Reader,
  limit: number,
  from?: KeyPosition,
): AsyncGenerator<Batch, ViewEnd> {
  const order = keyOf(reader.view)
  const { columns, isUnique } = order
  const keyIn = (row: Row): string[] => columns.map((column) => String(row[column]))
  let { last, ties = [] } = from ?? { last: undefined }
  let crowded: string | undefined
  for (let strict = isUnique, cap = limit; ;) {
    const page = await reader.page({
      ...(last && { where: after(columns, last, strict ? '>' : '>=') }),
      orderBy: columns.join(', '),
      limit,
    })
    if (!page.rows) {
      if (page.tooMuch === undefined || limit === 1) return { missing: page.tooMuch ?? page.refused }
      limit = Math.ceil(limit / 2)
      continue
    }
    const rows = without(page.rows, ties)
    if (rows.length === 0) {
      // nothing but rows of the last key: continue after it
      if (page.rows.length >= Math.min(cap, limit))
        crowded = `More rows than an answer holds (${page.rows.length}) may share one key.`
      if (strict || last === undefined) return crowded === undefined ? {} : { missing: crowded }
      strict = true
      continue
    }
    const keys = rows.map(keyIn)
    if (!ascends(order, last ? [last, ...keys] : keys) || (!last && !(await isReversible(reader, order))))
      return { missing: 'The service accepts ORDER BY, but does not answer in that order.' }
    const key = keys.at(-1)!
    const isLast = (one: readonly string[]): boolean => one.join('\0') === key.join('\0')
    const sharing = rows.filter((_, at) => !isUnique && isLast(keys[at]!)).map((row) => JSON.stringify(row))
    ties = last && isLast(last) ? [...ties, ...sharing] : sharing
    last = key
    strict = isUnique
    yield { rows, position: { by: 'key', last, ties, limit: cap } }
  }
}

/** Whether DESC is honoured too: pages that ascend by chance can hide the rows between them. */
async function isReversible(reader: Reader, order: ReturnType<typeof keyOf>): Promise<boolean> {
  const orderBy = order.columns.map((column) => `${column} DESC`).join(', ')
  const { rows = [] } = await reader.page({ orderBy, limit: 10 })
  return ascends(order, rows.map((row) => order.columns.map((column) => String(row[column]))).toReversed())
}

/** The rows that are not among these texts; each text leaves out one row. */
function without(rows: readonly Row[], texts: readonly string[]): Row[] {
  const left = [...texts]
  return rows.filter((row) => {
    const at = left.indexOf(JSON.stringify(row))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
