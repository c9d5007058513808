import { cursorLength, firstPage, nextPage, openPortal, rollback } from '../../../engine/result/portal.ts'
import { type Page, Result } from '../../../engine/result/result.ts'
import { defaultRowFormat, rowFormat } from '../../../engine/result/row-format.ts'
import { nameSources } from '../../../engine/result/sources.ts'
import {
  backend,
  concat,
  frontend,
  type MessageHandler,
  readError,
  readRow,
} from '../../../engine/result/wire.ts'
import { deltaZone } from '../../../open-points/delta/zone.ts'
import { type EngineSettings, SqlError } from '../../../statement.ts'
import type { Reading } from '../../../syntax/reading.ts'
import type { Connection } from '../connect/connection.ts'
import { viewsReplaced } from '../connect/failures.ts'
import { preamble, type PreambleOptions, viewNamesIn, viewOids } from './preamble.ts'

export interface PagesOptions extends PreambleOptions {
  /** The schema of the views. */
  readonly schema: string
  /** A host that does not begin a transaction within this time, in milliseconds, is lost; undefined if there is no other one. */
  readonly beginsWithinMs: number | undefined
}

/**
 * Runs a statement in a transaction of its own and yields its result page by page; leaving early ends the statement. The first
 * page takes one round trip.
 *
 * @throws SqlError, ConnectionLost
 */
export async function* pagesOf(
  connection: Connection,
  statement: Reading,
  settings: EngineSettings,
  options: PagesOptions,
): AsyncGenerator<Page, void> {
  const opening = new Opening()
  const format = rowFormat(settings)
  const begin = preamble(options, deltaZone(settings).sessionZone)
  const sql = format === defaultRowFormat ? begin : `${begin}; ${viewOids(options.schema)}`
  const rename = format.keyCase?.(() => statement.spelled)
  const result = new Result({
    format,
    toColumns: (fields) => {
      const views = viewNamesIn(opening.row)
      // only views have columns: those of this statement were replaced after they were looked up
      if (fields.some(({ table }) => table !== 0 && !views.has(table))) throw viewsReplaced()
      return nameSources(fields, statement.sources, views, rename)
    },
    mayReorder: !statement.ordered,
  })
  const begun = connection.exchange(frontend.query(sql), opening.handle)
  const first = concat(openPortal(statement.text), firstPage)
  let arriving = handled(connection.exchange(first, result.handle))
  const { beginsWithinMs } = options
  const timer = beginsWithinMs && setTimeout(() => connection.close(), beginsWithinMs)
  try {
    await begun.finally(() => clearTimeout(timer))
    opening.check()
    for (;;) {
      if ((await arriving) > 0) result.refuseRow()
      const page = result.takePage()
      yield page
      if (page.last) return
      arriving = handled(connection.exchange(nextPage(result), result.handle))
    }
  } catch (error) {
    throw error instanceof SqlError ? error.moved(statement.start - cursorLength) : error
  } finally {
    await connection.exchange(rollback, () => {}).catch(() => {})
  }
}

/** A promise that may be awaited later: a rejection until then must not count as unhandled. */
export function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** The answer to the SQL that begins a transaction: its last row, or its error. */
class Opening {
  row: readonly (string | null)[] = []
  #error: string | undefined

  readonly handle: MessageHandler = (type, bytes, start, end) => {
    if (type === backend.dataRow) this.row = readRow(bytes, start, end)
    else if (type === backend.error) this.#error ??= readError(bytes, start, end).message
  }

  /** @throws Error if the SQL failed */
  check(): void {
    if (this.#error !== undefined) throw new Error(`The database refused to begin: ${this.#error}.`)
  }
}
