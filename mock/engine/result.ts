import { type Column, defaultRowFormat, type RowFormat, SqlError } from './engine.ts'
import { RowEncoder } from './row-encoder.ts'
import { type RowWriter, Transcoder } from './transcoder.ts'
import { backend, type DatabaseError, type Field, MessageReader, readError, readFields } from './wire.ts'

/** A part of a result. */
export interface Page {
  readonly columns: readonly Column[]
  readonly chunks: readonly Uint8Array[]
  readonly last: boolean
}

/** Turns the fields the database describes into columns. */
export type ColumnNamer = (fields: readonly Field[]) => readonly Column[]

/** Most bytes a result may have as JSON, a page of it while it is held, and a single row on the wire. */
const [maxResultBytes, maxPageBytes, maxRowBytes] = [1 << 30, 128 << 20, 64 << 20]

/** Collects what the database answers to one statement. */
export class Result {
  readonly reader = new MessageReader((...message) => this.#read(...message), maxRowBytes)
  readonly #toColumns: ColumnNamer
  readonly #format: RowFormat
  readonly #mayShuffle: boolean
  #columns: readonly Column[] = []
  #writer: RowWriter | undefined
  #chunks: Uint8Array[] = []
  #bytes = 0
  #bytesBeforePage = 0
  #failure: unknown
  #suspended = false

  /** @param mayShuffle whether the statement leaves the order of its rows open */
  constructor(toColumns: ColumnNamer, format: RowFormat, mayShuffle: boolean) {
    this.#toColumns = toColumns
    this.#format = format
    this.#mayShuffle = mayShuffle
  }

  /** Bytes of JSON a row had so far, at least one. */
  get averageRowBytes(): number {
    return Math.max(this.#bytes / Math.max(this.#writer?.rows ?? 0, 1), 1)
  }

  /**
   * What arrived since the last call.
   *
   * @throws SqlError when the statement failed
   */
  takePage(): Page {
    if (this.reader.oversized > 0) this.#failure ??= tooLarge('A row of the result', maxRowBytes)
    if (this.#failure !== undefined) throw this.#failure
    this.#writer?.flush()
    const page = { columns: this.#columns, chunks: this.#chunks, last: !this.#suspended }
    this.#chunks = []
    this.#bytesBeforePage = this.#bytes
    this.#suspended = false
    return page
  }

  /** Must not throw: it is called from inside the database. */
  #read(type: number, bytes: Uint8Array, start: number, end: number): void {
    if (type === backend.dataRow) {
      if (this.#failure === undefined) this.#write(bytes, start, end)
    } else if (type === backend.error) this.#failure ??= toSqlError(readError(bytes, start, end))
    else if (type === backend.portalSuspended) this.#suspended = true
    else if (type === backend.rowDescription) this.#describe(readFields(bytes, start, end))
  }

  #write(bytes: Uint8Array, start: number, end: number): void {
    try {
      this.#writer?.row(bytes, start, end)
    } catch (error) {
      this.#failure = error
    }
  }

  #describe(fields: readonly Field[]): void {
    this.#columns = this.#toColumns(fields)
    try {
      this.#writer = this.#createWriter(fields)
    } catch (error) {
      this.#failure = error
    }
  }

  #createWriter(fields: readonly Field[]): RowWriter {
    const onChunk = (chunk: Uint8Array) => this.#keep(chunk)
    if (isDefault(this.#format)) return new Transcoder(fields, onChunk)
    const shuffle = this.#mayShuffle && this.#format.order === 'random'
    return new RowEncoder(this.#columns, this.#format, shuffle, onChunk)
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

function isDefault(format: RowFormat): boolean {
  if (format === defaultRowFormat) return true
  return Object.entries(defaultRowFormat).every(([name, value]) => format[name as keyof RowFormat] === value)
}

function tooLarge(what: string, bytes: number): SqlError {
  return new SqlError('other', `${what} is larger than ${bytes} bytes. Ask for less data.`, '54000')
}

function toSqlError({ message, sqlState }: DatabaseError): SqlError {
  const relation = sqlState === '42P01' ? /^relation "(.*)" does not exist$/s.exec(message)?.[1] : undefined
  return new SqlError(relation === undefined ? 'other' : 'unknown-relation', message, sqlState, relation)
}
