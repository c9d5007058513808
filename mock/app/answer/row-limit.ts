import { concat } from '../../engine/result/wire.ts'
import type { RowLimit } from '../../open-points/rows/max.ts'
import type { StatementResult } from '../../statement.ts'
import { rejected } from './refusal.ts'
import { RowScanner } from './row-scanner.ts'

/** The rows of an answer, and how it says that there are more. */
export interface LimitedRows {
  readonly rows: Uint8Array
  /** A further member of the envelope, with its comma. */
  readonly member?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Reads as many rows as an answer may have, and gives up the rest of the result.
 *
 * @param url the address of the request, which may choose a page
 * @throws SqlError or Refusal if there are more rows and the limit rejects them
 */
export async function limitRows(
  chunks: StatementResult['chunks'],
  { rows: most, rejection, member, linkTo }: RowLimit,
  url: string,
): Promise<LimitedRows> {
  const page = linkTo ? pageOf(url) : 1
  const before = (page - 1) * most
  const all = await readUntil(chunks, before + most + 1)
  const scanner = new RowScanner()
  const begin = before === 0 ? 0 : scanner.read(all, before) + 1
  const rest = all.subarray(begin)
  const end = scanner.rows < before ? 0 : scanner.read(rest, before + most)
  const rows = rest.subarray(0, end)
  if (end >= rest.length) return { rows }
  if (rejection !== undefined)
    throw rejected(rejection, `The result has more than ${most} rows. Ask for fewer with LIMIT or WHERE.`)
  return { rows, member, headers: linkTo?.(page + 1) }
}

/** The page in the address of a request; 1 by default. */
function pageOf(url: string): number {
  const page = Number(new URL(url).searchParams.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The text of at least this many rows, or of all. Leaving the loop early ends the statement. */
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
