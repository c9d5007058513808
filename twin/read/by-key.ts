import type { Row } from './asker.ts'
import type { Batch, Position, Reader, ViewEnd } from './reader.ts'
import { after, keyOf } from './statements.ts'

type KeyPosition = Extract<Position, { by: 'key' }>

/**
 * Reads a view in the order of its key, page by page. The contract documents neither ORDER BY nor these comparisons. Rows that
 * share a key may be on two pages, so a page of such a view begins with the last key, and repeated rows are left out.
 *
 * @param limit rows of a page
 * @param from where an earlier reading stopped
 */
export async function* readByKey(
  reader: Reader,
  limit: number,
  from?: KeyPosition,
): AsyncGenerator<Batch, ViewEnd> {
  const { columns, isUnique } = keyOf(reader.view)
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
    if (page.rows.length === 0 && (strict || last === undefined))
      return crowded === undefined ? {} : { missing: crowded }
    const rows = strict ? page.rows : without(page.rows, ties)
    if (rows.length === 0) {
      // nothing but rows of the last key: continue after it
      if (page.rows.length >= Math.min(cap, limit))
        crowded = `More rows than an answer holds (${page.rows.length}) may share one key.`
      strict = true
      continue
    }
    const key = keyIn(rows.at(-1)!)
    if (strict && last && key.join('\0') === last.join('\0'))
      return { missing: 'The service repeats rows that were not asked for.' }
    const isLast = (row: Row): boolean => keyIn(row).join('\0') === key.join('\0')
    const sharing = rows.filter(isLast).map((row) => JSON.stringify(row))
    ties = last && last.join('\0') === key.join('\0') ? [...ties, ...sharing] : sharing
    last = key
    strict = isUnique
    yield { rows, position: { by: 'key', last, ties: isUnique ? [] : ties, limit: cap } }
  }
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
