import type { Result } from './result.ts'
import { concat, frontend } from './wire.ts'

/** Rows of the first page, most rows of any other, and bytes that a page aims at. */
const [firstPageRows, maxPageRows, pageBytes] = [200, 5000, 1 << 20]

export const portal = 'rows'
const bindAndDescribe = concat(frontend.bind(portal), frontend.describePortal(portal))

/** The messages that open the portal of a statement. */
export const openPortal = (statement: string): Uint8Array =>
  concat(frontend.parse(statement), bindAndDescribe)

/** The messages for a page. @param rows 0 for all, so that the last page of a small result is its first */
export const pageOf = (rows: number): Uint8Array => concat(frontend.execute(portal, rows), frontend.sync())

export const firstPage = pageOf(firstPageRows)

/** The messages for the page after those that were read. */
export const nextPage = ({ averageRowBytes }: Result): Uint8Array =>
  pageOf(Math.min(Math.ceil(pageBytes / averageRowBytes), maxPageRows))

/** Whether the rows of a statement with this LIMIT fit the first page. */
export const isSmall = (limit: number | undefined): boolean => limit !== undefined && limit <= firstPageRows

export const rollback = frontend.query('ROLLBACK')
