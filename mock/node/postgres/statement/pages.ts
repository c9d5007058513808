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

/** A statement to run in a transaction of its own. */
export interface Plan {
  readonly text: string
  /** SQL that begins the transaction, see preamble.ts. */
  readonly opening: string
  /** Takes the answer to it. */
  readonly opened: Answer
  readonly result: Result
  /** A host that does not begin the transaction within this time, in milliseconds, is lost: another one can answer. */
  readonly beginsWithinMs: number | undefined
}

const ignore: MessageHandler = () => {}

/**
 * Runs a statement and yields its result page by page; leaving early ends the statement. The first page takes one round trip.
 *
 * @throws SqlError, ConnectionLost
 */
export async function* pagesOf(connection: Connection, plan: Plan): AsyncGenerator<Page, void> {
  const { text, opening, opened, result, beginsWithinMs } = plan
  const begun = connection.exchange(frontend.query(opening), opened.handle)
  let arriving = handled(connection.exchange(concat(openPortal(text), firstPage), result.handle))
  const timer = beginsWithinMs && setTimeout(() => connection.close(), beginsWithinMs)
  try {
    await begun.finally(() => clearTimeout(timer))
    opened.check()
    for (;;) {
      if ((await arriving) > 0) result.refuseRow()
      const page = result.takePage()
      yield page
      if (page.last) return
      arriving = handled(connection.exchange(nextPage(result), result.handle))
    }
  } finally {
    await connection.exchange(rollback, ignore).catch(() => {})
  }
}

/** A promise that may be awaited later: a rejection until then must not count as unhandled. */
export function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** The error or the last row of SQL of this package. */
export class Answer {
  row: readonly (string | null)[] = []
  #error: string | undefined
  /** Whether the database has answered. */
  hasArrived = false

  readonly handle: MessageHandler = (type, bytes, start, end) => {
    this.hasArrived = true
    if (type === backend.dataRow) this.row = readRow(bytes, start, end)
    else if (type === backend.error) this.#error ??= readError(bytes, start, end).message
  }

  /** @throws Error if the SQL failed */
  check(): void {
    if (this.#error !== undefined) throw new Error(`The database refused to begin: ${this.#error}.`)
  }
}
