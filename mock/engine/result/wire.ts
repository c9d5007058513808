/**
 * The few messages of the PostgreSQL protocol 3.0 that the engines need.
 * Source: PostgreSQL documentation, "Message Formats".
 */

import { mappedMemory, resize } from '../memory/mapped-memory.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Types of backend messages, as their first byte. */
export const backend = {
  parseComplete: 0x31,
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  notice: 0x4e,
  rowDescription: 0x54,
  readyForQuery: 0x5a,
  portalSuspended: 0x73,
} as const

/** One column of a RowDescription. */
export interface Field {
  readonly name: string
  /** OID of the relation and number of its column, zero for an expression. */
  readonly table: number
  readonly attribute: number
  /** OID of the type. */
  readonly type: number
}

/** What an ErrorResponse says. */
export interface DatabaseError {
  readonly sqlState: string
  readonly message: string
  /** The source file of PostgreSQL that reports it, such as `gram.y`; empty if it is not told. */
  readonly file: string
  readonly detail: string
  readonly hint: string
  /** What PostgreSQL did beside reading the statement, such as reading a value; empty if nothing. */
  readonly context: string
  /** The place in the text, in characters from 1; 0 if it is not told. */
  readonly position: number
}

function message(type: string, ...parts: (string | Uint8Array)[]): Uint8Array {
  const body = parts.map((part) => (typeof part === 'string' ? encoder.encode(`${part}\0`) : part))
  const length = body.reduce((sum, part) => sum + part.length, 4)
  const bytes = new Uint8Array(1 + length)
  bytes[0] = type.charCodeAt(0)
  new DataView(bytes.buffer).setUint32(1, length)
  let at = 5
  for (const part of body) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function int16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value)
}

function int32(value: number): Uint8Array {
  return Uint8Array.of(value >> 24, value >> 16, value >> 8, value)
}

/** Frontend messages. */
export const frontend = {
  query: (sql: string) => message('Q', sql),
  /** Parses a statement without parameters. */
  parse: (sql: string) => message('P', '', sql, int16(0)),
  bind: (portal: string) => message('B', portal, '', int16(0), int16(0), int16(0)),
  describePortal: (portal: string) => message('D', Uint8Array.of(0x50), portal),
  execute: (portal: string, rows: number) => message('E', portal, int32(rows)),
  sync: () => message('S'),
}

/** Joins messages, to send them in one call. */
export function concat(...messages: readonly Uint8Array[]): Uint8Array {
  const bytes = mappedMemory(messages.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of messages) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Gets the body of a message as `bytes[start, end)`, valid only during the call. */
export type MessageHandler = (type: number, bytes: Uint8Array, start: number, end: number) => void

/**
 * Cuts a stream of bytes into backend messages. Chunks may end anywhere; only a message that spans chunks is
 * copied. A message longer than `maxBytes` is skipped and counted in `oversized`. After a RangeError for a malformed message,
 * nothing more can be read.
 */
export class MessageReader {
  oversized = 0
  readonly #handle: MessageHandler
  readonly #maxBytes: number
  #held = new Uint8Array(64)
  #heldLength = 0
  #skip = 0

  constructor(handle: MessageHandler, maxBytes = Number.POSITIVE_INFINITY) {
    this.#handle = handle
    this.#maxBytes = maxBytes
  }

  push(bytes: Uint8Array): void {
    let at = 0
    const { length } = bytes
    while (at < length) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, length - at)
        this.#skip -= skipped
        at += skipped
      } else if (this.#heldLength > 0) {
        at = this.#complete(bytes, at)
      } else {
        const size = length - at < 5 ? 0 : sizeAt(bytes, at)
        if (size > this.#maxBytes) this.#startSkipping(size)
        else if (size === 0 || size > length - at) at = this.#hold(bytes, at, length)
        else {
          this.#handle(bytes[at] as number, bytes, at + 5, at + size)
          at += size
        }
      }
    }
  }

  #startSkipping(size: number): void {
    this.oversized++
    this.#skip = size
  }

  #hold(bytes: Uint8Array, from: number, to: number): number {
    const needed = this.#heldLength + to - from
    if (needed > this.#held.length) {
      const grown = mappedMemory(needed)
      grown.set(this.#held.subarray(0, this.#heldLength))
      this.#held = grown
    }
    this.#held.set(bytes.subarray(from, to), this.#heldLength)
    this.#heldLength = needed
    return to
  }

  /** Completes the held message: first its header, then its body. */
  #complete(bytes: Uint8Array, from: number): number {
    if (this.#heldLength < 5) {
      const at = this.#hold(bytes, from, Math.min(bytes.length, from + 5 - this.#heldLength))
      if (this.#heldLength < 5) return at
      return this.#reserve() ? this.#complete(bytes, at) : at
    }
    const size = sizeAt(this.#held, 0)
    if (this.#held.length < size) this.#reserve()
    const at = this.#hold(bytes, from, Math.min(bytes.length, from + size - this.#heldLength))
    if (this.#heldLength === size) {
      this.#heldLength = 0
      this.#handle(this.#held[0] as number, this.#held, 5, size)
      if (this.#held.length > 1 << 20) this.#forget()
    }
    return at
  }

  /** Gives the memory of a large message back. */
  #forget(): void {
    resize(this.#held, 0)
    this.#held = new Uint8Array(64)
  }

  /** Makes room for the whole held message; false if it is too long and skipped. */
  #reserve(): boolean {
    const size = sizeAt(this.#held, 0)
    if (size > this.#maxBytes) {
      this.#startSkipping(size - this.#heldLength)
      this.#heldLength = 0
      return false
    }
    if (this.#held.length < size) {
      const grown = mappedMemory(size)
      grown.set(this.#held.subarray(0, this.#heldLength))
      this.#held = grown
    }
    return true
  }
}

/** PostgreSQL builds no longer message than this, in bytes. */
const longestMessage = 0x3fff_ffff

/** Length of the message that starts at `at`, its type byte included. @throws RangeError for one that no server sends */
function sizeAt(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at + 1], bytes[at + 2], bytes[at + 3], bytes[at + 4]] as number[]
  const length = ((a as number) << 24) | ((b as number) << 16) | ((c as number) << 8) | (d as number)
  if (length < 4 || length > longestMessage) throw new RangeError(`A message has the length ${length}.`)
  return 1 + length
}

/** Reads the body of a RowDescription. */
export function readFields(bytes: Uint8Array, start: number, end: number): Field[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start)
  const fields: Field[] = []
  let at = 2
  for (let left = view.getUint16(0); left > 0; left--) {
    const zero = bytes.indexOf(0, start + at)
    const name = decoder.decode(bytes.slice(start + at, zero))
    at = zero - start + 1
    fields.push({
      name,
      table: view.getUint32(at),
      attribute: view.getUint16(at + 4),
      type: view.getUint32(at + 6),
    })
    at += 18
  }
  return fields
}

/** Reads the body of an ErrorResponse or a NoticeResponse. */
export function readError(bytes: Uint8Array, start: number, end: number): DatabaseError {
  const parts = new Map<string, string>()
  for (const part of decoder.decode(bytes.slice(start, end)).split('\0')) {
    if (part !== '') parts.set(part.charAt(0), part.slice(1))
  }
  return {
    sqlState: parts.get('C') ?? 'XX000',
    message: parts.get('M') ?? 'unknown error',
    file: parts.get('F') ?? '',
    detail: parts.get('D') ?? '',
    hint: parts.get('H') ?? '',
    context: parts.get('W') ?? '',
    position: Number(parts.get('P') ?? 0),
  }
}

/** Reads the body of a DataRow: the text of each column, or null. */
export function readRow(bytes: Uint8Array, start: number, end: number): (string | null)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start)
  const values: (string | null)[] = []
  let at = 2
  for (let left = view.getUint16(0); left > 0; left--) {
    const length = view.getInt32(at)
    at += 4
    if (length < 0) values.push(null)
    else {
      values.push(decoder.decode(bytes.slice(start + at, start + at + length)))
      at += length
    }
  }
  return values
}
