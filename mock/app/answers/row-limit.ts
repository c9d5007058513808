import { SqlError, type StatementResult } from '../../engine/engine.ts'
import { concat } from '../../engine/wire.ts'
import type { Settings } from '../settings.ts'
import { Refusal } from '../refusal.ts'
import { RowScanner } from './row-scanner.ts'

/** The most rows of an answer where a variant bounds them. */
const mostRows = 1000

/** The rows that an answer may have, and what it says beside them where there are more. */
export interface BoundRows {
  readonly rows: Uint8Array
  /** A further member of the envelope, with its comma. */
  readonly member?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Reads as many rows as a variant lets an answer have; the rest of the result is given up.
 *
 * @param page of the pages of 1000 rows the one to read, from 1
 * @throws SqlError or Refusal 413 where there are more rows and the variant makes that an error
 */
export async function boundRows(
  chunks: StatementResult['chunks'],
  limit: Exclude<Settings['rows.max'], 'none'>,
  page: number,
): Promise<BoundRows> {
  const before = limit === 'next-link-1000' ? (page - 1) * mostRows : 0
  const all = await readUntil(chunks, before + mostRows + 1)
  const scanner = new RowScanner()
  const begin = before === 0 ? 0 : scanner.read(all, before) + 1
  const rest = all.subarray(begin)
  const end = scanner.rows < before ? 0 : scanner.read(rest, before + mostRows)
  const rows = rest.subarray(0, end)
  if (end >= rest.length) return { rows }
  switch (limit) {
    case 'error-1000':
      throw new SqlError('other', `The result has more than ${mostRows} rows.`, '54000')
    case '413-1000':
      throw new Refusal(413, `The result has more than ${mostRows} rows. Ask for fewer with LIMIT or WHERE.`)
    case 'cut-1000':
      return { rows }
    case 'truncated-1000':
      return { rows, member: '"truncated":true,' }
    case 'next-link-1000':
      return { rows, headers: { link: `<?page=${page + 1}>; rel="next"` } }
  }
}

/** The page that the address of a request names, 1 where it names none. */
export const pageOf = (url: string): number => {
  const page = Number(new URL(url).searchParams.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The text of at least so many rows, or of all that there are. Leaving the loop early ends the statement. */
async function readUntil(chunks: StatementResult['chunks'], rows: number): Promise<Uint8Array> {
  const scanner = new RowScanner()
  const held: Uint8Array[] = []
  for await (const chunk of chunks) {
    held.push(chunk)
    scanner.read(chunk)
    if (scanner.rows >= rows) break
  }
  return concat(...held)
}
