import {
  backend,
  concat,
  frontend,
  type MessageHandler,
  readError,
  readRow,
} from '../../../engine/result/wire.ts'
import { firstPage, nextPage, openPortal, rollback } from '../../../engine/result/portal.ts'
import type { Page, Result } from '../../../engine/result/result.ts'
import type { Connection } from '../connect/connection.ts'
import { positionColumns, positionOf, type SeenPosition } from './position.ts'

/** A statement to run in a transaction of its own. */
export interface Plan {
  readonly text: string
  /** Begins the transaction, see preamble.ts. */
  readonly opening: Uint8Array
  /** Takes the answer to it. */
  readonly opened: Answer
  readonly result: Result
  /** Where clients have seen the log; undefined if the position of the host is not asked for. */
  readonly seen: SeenPosition | undefined
}

const askPosition = frontend.query(`SELECT ${positionColumns}`)
const ignore: MessageHandler = () => {}

/**
 * Runs a statement and yields its result page by page; leaving early ends the statement. The first page takes one round trip.
 *
 * @throws SqlError, ConnectionLost; TooEarly from a standby that lags behind what clients have seen
 */
export async function* pagesOf(connection: Connection, plan: Plan): AsyncGenerator<Page, void> {
  const { text, opening, opened, result, seen } = plan
  const passed = new Answer()
  const begun = connection.exchange(opening, opened.handle)
  const statement = concat(openPortal(text), firstPage)
  let arriving = handled(connection.exchange(statement, result.handle))
  // what the rows show was there before this position
  const after = seen && handled(connection.exchange(askPosition, passed.handle))
  try {
    await (seen ? answered(connection, begun) : begun)
    const { row } = opened
    if (seen) checkPosition(connection, seen, row)
    for (let isFirst = true; ; isFirst = false) {
      if ((await arriving) > 0) result.refuseRow()
      const page = result.takePage()
      if (isFirst && seen) {
        await after
        seen.add(positionOf(passed.row))
      }
      yield page
      if (page.last) return
      arriving = handled(connection.exchange(nextPage(result), result.handle))
    }
  } finally {
    await connection.exchange(rollback, ignore).catch(() => {})
  }
}

/** With several hosts, one that does not begin a transaction within this time, in milliseconds, is lost. */
const answerWithinMs = 3_000

async function answered(connection: Connection, begun: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => connection.close(), answerWithinMs)
  await begun.finally(() => clearTimeout(timer))
}

/** A connection to a host that lags behind is closed, so that the next one goes to a host that does not. */
function checkPosition(connection: Connection, seen: SeenPosition, row: readonly unknown[]): void {
  try {
    seen.check(positionOf(row))
  } catch (error) {
    connection.close()
    throw error
  }
}

/** A promise that may be awaited later: a rejection until then must not count as unhandled. */
export function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** The error or the last row of a query of this package. */
export class Answer {
  #row: readonly (string | null)[] = []
  #error: string | undefined
  /** Whether the database has answered. */
  hasArrived = false

  readonly handle: MessageHandler = (type, bytes, start, end) => {
    this.hasArrived = true
    if (type === backend.dataRow) this.#row = readRow(bytes, start, end)
    else if (type === backend.error) this.#error ??= readError(bytes, start, end).message
  }

  /** @throws Error if the query failed */
  get row(): readonly (string | null)[] {
    if (this.#error !== undefined) throw new Error(`The database refused to begin: ${this.#error}.`)
    return this.#row
  }
}
