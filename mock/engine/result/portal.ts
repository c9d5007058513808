import type { Result } from './result.ts'
import { concat, frontend } from './wire.ts'

/** Rows of the first page, most rows of any other, and bytes that a page aims at. */
const [firstPageRows, maxPageRows, pageBytes] = [200, 5000, 1 << 20]

const portal = 'rows'

const cursor = `DECLARE ${portal} NO SCROLL CURSOR FOR `

/** What {@link parseQuery} puts before a text, in characters: errors count their places from there. */
export const cursorLength = cursor.length

/**
 * The statement that runs a text: one that opens a cursor, whose portal gives the rows. PostgreSQL's grammar takes a query there
 * and nothing else (docs/decisions/0006): SELECT, VALUES, TABLE or WITH, and no INTO.
 */
export const parseQuery = (text: string): Uint8Array => frontend.parse(cursor + text)

const openAndDescribe = concat(frontend.bind(''), frontend.execute('', 0), frontend.describePortal(portal))

/** The messages that open the portal of a text. */
export const openPortal = (text: string): Uint8Array => concat(parseQuery(text), openAndDescribe)

const pageOf = (rows: number): Uint8Array => concat(frontend.execute(portal, rows), frontend.sync())

export const firstPage = pageOf(firstPageRows)

/** The messages for the page after those that were read. */
export const nextPage = ({ averageRowBytes }: Result): Uint8Array =>
  pageOf(Math.min(Math.ceil(pageBytes / averageRowBytes), maxPageRows))

export const begin = frontend.query('BEGIN READ ONLY')
export const rollback = frontend.query('ROLLBACK')
