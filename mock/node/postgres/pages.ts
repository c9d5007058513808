import { type Page, Result } from '../../engine/result.ts'
import { backend, concat, frontend, type MessageHandler, readError, readRow } from '../../engine/wire.ts'
import type { Connection } from './connection.ts'
import { position } from './preamble.ts'

/** Rows of the first page, most rows of any other, and bytes that a page aims at. */
export const [firstPageRows, maxPageRows, pageBytes] = [200, 5000, 1 << 20]

/** How far a host has replayed the log, in bytes. */
export interface Position {
  readonly inRecovery: boolean
  readonly bytes: bigint
}

/** A statement to run in a transaction of its own. */
export interface Plan {
  readonly text: string
  /** Begins the transaction, see preamble.ts. */
  readonly opening: Uint8Array
  readonly result: Result
  /** Whether its rows fit the first page. */
  readonly isSmall: boolean
  /** For several hosts. */
  readonly positions?: PositionListener
}

export interface PositionListener {
  /** Before the rows of the statement were chosen. @throws to give the statement to another host */
  before(position: Position): void
  /** After they were chosen. */
  after(position: Position): void
}

const portal = 'rows'
const openPortal = concat(frontend.bind(portal), frontend.describePortal(portal))
const next = (rows: number) => concat(frontend.execute(portal, rows), frontend.sync())
const firstRows = next(firstPageRows)
/** Without a number of rows, so that the last page of a small result is its first. */
const allRows = next(0)
const rollback = frontend.query('ROLLBACK')
const askPosition = frontend.query(position)
const ignore: MessageHandler = () => {}

/**
 * Runs a statement and yields its result page by page; leaving early ends the statement. The first page takes one round trip, and
 * so does a small result with its transaction.
 *
 * @throws SqlError, ConnectionLost, or what {@link PositionListener.before} throws
 */
export async function* pagesOf(connection: Connection, plan: Plan): AsyncGenerator<Page, void> {
  const { text, opening, result, isSmall, positions } = plan
  const opened = new Answer()
  const seen = new Answer()
  const begun = connection.exchange(opening, opened.handle)
  const statement = concat(frontend.parse(text), openPortal, isSmall ? allRows : firstRows)
  let arriving = handled(connection.exchange(statement, result.handle))
  const after = positions && handled(connection.exchange(askPosition, seen.handle))
  let ended = isSmall ? handled(connection.exchange(rollback, ignore)) : undefined
  try {
    await begun
    opened.check()
    if (positions) positions.before(opened.position)
    for (let isFirst = true; ; isFirst = false) {
      if ((await arriving) > 0) result.refuseRow()
      const page = result.takePage()
      if (isFirst && after) {
        await after
        positions!.after(seen.position)
      }
      if (isSmall) await ended
      yield page
      if (page.last) return
      const rows = Math.min(Math.ceil(pageBytes / result.averageRowBytes), maxPageRows)
      arriving = handled(connection.exchange(next(rows), result.handle))
    }
  } finally {
    ended ??= connection.exchange(rollback, ignore)
    await ended.catch(() => {})
  }
}

/** A promise that may be awaited later: a rejection until then must not count as unhandled. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** The error or the only row of a query of this package. */
class Answer {
  #row: readonly (string | null)[] | undefined
  #error: string | undefined

  readonly handle: MessageHandler = (type, bytes, start, end) => {
    if (type === backend.dataRow) this.#row = readRow(bytes, start, end)
    else if (type === backend.error) this.#error ??= readError(bytes, start, end).message
  }

  /** @throws Error if the query failed */
  check(): void {
    if (this.#error !== undefined) throw new Error(`The database refused to begin: ${this.#error}.`)
  }

  get position(): Position {
    this.check()
    const [inRecovery, bytes] = this.#row ?? []
    return { inRecovery: inRecovery === 't', bytes: BigInt(bytes ?? 0) }
  }
}
