import { type Column, SqlError } from '../../statement.ts'
import { defaultRowFormat, type RowFormat } from './row-format.ts'
import { RowWriter } from './row-writer.ts'
import { sqlErrorOf } from './sql-errors.ts'
import { backend, type Field, type MessageHandler, MessageReader, readError, readFields } from './wire.ts'

/** A part of a result. */
export interface Page {
  /** The names of the columns. */
  readonly columns: readonly string[]
  readonly chunks: readonly Uint8Array[]
  readonly last: boolean
}

/** Turns the fields the database describes into columns. */
export type ColumnNamer = (fields: readonly Field[]) => readonly Column[]

export interface ResultOptions {
  readonly format: RowFormat
  /** For formats other than the default. */
  readonly toColumns: ColumnNamer
  /** Whether the statement has no ORDER BY. */
  readonly mayReorder: boolean
}

/** Largest result and largest page as JSON, and largest row on the wire, in bytes. */
export const [maxResultBytes, maxPageBytes, maxRowBytes] = [1 << 30, 128 << 20, 64 << 20]

/** Collects the answer of the database to one statement. */
export class Result {
  /** Takes the messages of the answer. */
  readonly handle: MessageHandler = (...message) => this.#read(...message)
  readonly reader = new MessageReader(this.handle, maxRowBytes)
  readonly #toColumns: ColumnNamer
  readonly #format: RowFormat
  readonly #mayReorder: boolean
  #columns: readonly string[] = []
  #writer: RowWriter | undefined
  #chunks: Uint8Array[] = []
  #bytes = 0
  #bytesBeforePage = 0
  #failure: unknown
  #suspended = false

  constructor({
    format = defaultRowFormat,
    toColumns = (fields) => fields,
    mayReorder = false,
  }: Partial<ResultOptions> = {}) {
    this.#format = format
    this.#toColumns = toColumns
    this.#mayReorder = mayReorder
  }

  /** Average bytes of JSON per row so far, at least 1. */
  get averageRowBytes(): number {
    return Math.max(this.#bytes / Math.max(this.#writer?.rows ?? 0, 1), 1)
  }

  /**
   * The rows since the last call.
   *
   * @throws SqlError if the statement failed
   */
  takePage(): Page {
    if (this.reader.oversized > 0) this.refuseRow()
    if (this.#failure !== undefined) throw this.#failure
    this.#writer?.flush()
    const page = { columns: this.#columns, chunks: this.#chunks, last: !this.#suspended }
    this.#chunks = []
    this.#bytesBeforePage = this.#bytes
    this.#suspended = false
    return page
  }

  /** The failure of the statement, if the database reported one. */
  get error(): SqlError | undefined {
    return this.#failure as SqlError | undefined
  }

  /** Fails the result because of a row that is too large and was skipped. */
  refuseRow(): void {
    this.#failure ??= tooLarge('A row of the result', maxRowBytes)
  }

  /** Must not throw: the database calls it. */
  #read(type: number, bytes: Uint8Array, start: number, end: number): void {
    if (type === backend.dataRow) {
      if (this.#failure === undefined) this.#write(bytes, start)
    } else if (type === backend.error) this.#failure ??= sqlErrorOf(readError(bytes, start, end))
    else if (type === backend.portalSuspended) this.#suspended = true
    else if (type === backend.rowDescription) this.#describe(readFields(bytes, start, end))
  }

  #write(bytes: Uint8Array, start: number): void {
    try {
      this.#writer?.row(bytes, start)
    } catch (error) {
      this.#failure = error
    }
  }

  #describe(fields: readonly Field[]): void {
    try {
      this.#writer = this.#createWriter(fields)
    } catch (error) {
      this.#failure = error
    }
  }

  #createWriter(fields: readonly Field[]): RowWriter {
    const columns = this.#format === defaultRowFormat ? fields : this.#toColumns(fields)
    this.#columns = columns.map(({ name }) => name)
    return new RowWriter(columns, this.#format, this.#mayReorder, (chunk) => this.#keep(chunk))
  }

  #keep(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
    if (this.#bytes > maxResultBytes) this.#failure = tooLarge('The result', maxResultBytes)
    if (this.#bytes - this.#bytesBeforePage > maxPageBytes) {
      this.#failure = tooLarge('A page of the result', maxPageBytes)
    }
  }
}

function tooLarge(what: string, bytes: number): SqlError {
  return new SqlError('other', `${what} is larger than ${bytes} bytes. Ask for less data.`, '54000')
}
