import { backend, type MessageHandler, readError, readRow } from '../../../engine/result/wire.ts'

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
