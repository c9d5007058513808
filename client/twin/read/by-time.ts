import { dateLiteral } from '../../literals.ts'
import type { Row } from './asker.ts'
import type { Batch, Reader, ViewEnd } from './reader.ts'
import { keyOf } from './statements.ts'
import { changeOf, compareTimes, isOldestFirst } from './times.ts'

/** Older than any row. January 2nd is in 1970 in every time zone. */
const LONG_AGO = '1970-01-02T00:00:00Z'

/**
 * Reads a view with documented deltas, if the service answers them oldest first: each page begins after the newest time that
 * the page before shows whole. A page ends somewhere among rows of one time, so its last time is read again.
 *
 * The end is an answer without newer rows. A short page is no sign of the end: the service may cap bytes.
 *
 * @param limit rows of a page
 * @param last where an earlier reading stopped
 */
export async function* readByTime(
  reader: Reader,
  limit: number,
  last = LONG_AGO,
): AsyncGenerator<Batch, ViewEnd> {
  const cap = limit
  let crowded: string | undefined
  for (;;) {
    const page = await reader.page({
      where: since(reader, last),
      limit,
    })
    if (!page.rows) {
      if (page.tooMuch === undefined || limit === 1) return { missing: page.tooMuch ?? page.refused }
      limit = Math.ceil(limit / 2)
      continue
    }
    if (!isOldestFirst(page.rows))
      return { missing: 'The service does not answer changes in the order of last_updated_at.' }
    const rows = page.rows.filter((row) => compareTimes(changeOf(row), last) > 0)
    if (rows.length === 0) return crowded === undefined ? {} : { missing: crowded }
    const newest = changeOf(rows.at(-1)!)
    const settled = rows.filter((row) => compareTimes(changeOf(row), newest) < 0)
    const taken = settled.length > 0 ? settled : rows
    if (taken === rows && (await isCrowded(reader, rows, last, Math.min(cap, limit))))
      crowded = `More rows than an answer holds (${rows.length}) may have changed at one time.`
    last = changeOf(taken.at(-1)!)
    yield { rows: taken, position: { by: 'time', last, limit: cap } }
  }
}

/**
 * Whether an answer whose rows all have one time may lack rows of that time: it has as many rows as the service returns at
 * most, or an answer with fewer columns has more.
 */
async function isCrowded(reader: Reader, rows: readonly Row[], last: string, most: number): Promise<boolean> {
  if (rows.length >= most) return true
  const key = keyOf(reader.view).columns[0]
  const short = reader.columns.filter(({ name }) => name === key || name === 'last_updated_at')
  const again = await reader.page({ where: since(reader, last), limit: rows.length + 1 }, short)
  const newest = changeOf(rows[0]!)
  const sharing = again.rows?.filter((row) => compareTimes(changeOf(row), newest) === 0) ?? []
  return sharing.length > rows.length
}

const since = (reader: Reader, last: string): string =>
  `last_updated_at > ${dateLiteral(last, reader.dateLiteral)}`
