import { defaultRowFormat } from './row-format.ts'
import { type Encoding, encodingOf, valueJson } from './values.ts'
import type { Field } from './wire.ts'

/** Receives finished rows, comma separated, and owns the bytes. */
export type ChunkHandler = (chunk: Uint8Array) => void

/** Turns the DataRow messages of one result into chunks of JSON text. */
export interface RowWriter {
  /** Rows written so far. */
  readonly rows: number
  /** Adds the DataRow whose body is `bytes[start, end)`. */
  row(bytes: Uint8Array, start: number, end: number): void
  /** Hands over what is left. */
  flush(): void
}

/** Sizes of the first chunk of a result, so that small answers stay small, and of further ones, in bytes. */
const [firstChunkBytes, chunkBytes] = [16_384, 262_144]

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const ascii = (text: string) => encoder.encode(text)

const literals = { null: ascii('null'), true: ascii('true'), false: ascii('false'), offset: ascii('+00:00') }
const hex = ascii('0123456789abcdef')
const [quote, backslash, comma, open, close] = [0x22, 0x5c, 0x2c, 0x7b, 0x7d]

/** Letter after the backslash of the escapes that have one. */
const shortEscapes = new Uint8Array(0x60)
for (const [char, letter] of ['""', '\\\\', '\bb', '\tt', '\nn', '\ff', '\rr'].map((pair) => [...pair])) {
  shortEscapes[(char as string).charCodeAt(0)] = (letter as string).charCodeAt(0)
}

/** What the fields of a result mean for its rows. */
interface Layout {
  readonly names: readonly string[]
  readonly types: readonly number[]
  readonly encodings: readonly Encoding[]
  /** `"name":` of each column; undefined if a later column of the same name wins. */
  readonly keys: readonly (Uint8Array | undefined)[]
}

/** Statements of one shape have the same fields. */
const layouts = new WeakMap<readonly Field[], Layout>()

/** The same object for the same fields. */
export function layoutOf(fields: readonly Field[]): Layout {
  const known = layouts.get(fields)
  if (known) return known
  const last = new Map(fields.map((field, index) => [field.name, index]))
  const layout = {
    names: fields.map(({ name }) => name),
    types: fields.map((field) => field.type),
    encodings: fields.map((field) => encodingOf(field.type)),
    keys: fields.map(({ name }, index) =>
      last.get(name) === index ? ascii(`${JSON.stringify(name)}:`) : undefined,
    ),
  }
  layouts.set(fields, layout)
  return layout
}

/**
 * Writes the default row format straight from wire bytes to JSON bytes. A row costs no string and no object, which
 * makes large answers fast; {@link RowEncoder} is the slow path for every other format.
 */
export class Transcoder implements RowWriter {
  rows = 0
  readonly #onChunk: ChunkHandler
  readonly #layout: Layout
  #out = new Uint8Array(0)
  #at = 0
  #nextSize = firstChunkBytes

  constructor(fields: readonly Field[], onChunk: ChunkHandler) {
    this.#onChunk = onChunk
    this.#layout = layoutOf(fields)
  }

  row(bytes: Uint8Array, start: number, _end: number): void {
    this.#reserve(2)
    if (this.rows++ > 0) this.#out[this.#at++] = comma
    this.#out[this.#at++] = open
    let from = start + 2
    let first = true
    const { keys } = this.#layout
    for (let index = 0; index < keys.length; index++) {
      const length = int32(bytes, from)
      from += 4
      const to = from + Math.max(length, 0)
      const key = keys[index]
      if (key) {
        // an escaped byte takes six; timestamps grow by less than 16
        this.#reserve(key.length + (to - from) * 6 + 16)
        if (!first) this.#out[this.#at++] = comma
        first = false
        this.#put(key)
        if (length < 0) this.#put(literals.null)
        else this.#value(index, bytes, from, to)
      }
      from = to
    }
    this.#reserve(1)
    this.#out[this.#at++] = close
  }

  flush(): void {
    if (this.#at === 0) return
    const chunk = this.#out.subarray(0, this.#at)
    this.#out = new Uint8Array(0)
    this.#at = 0
    this.#onChunk(chunk)
  }

  #value(index: number, bytes: Uint8Array, from: number, to: number): void {
    switch (this.#layout.encodings[index]) {
      case 'boolean':
        return this.#put(bytes[from] === 0x74 ? literals.true : literals.false)
      case 'number': {
        // NaN, Infinity, -Infinity: a digit never follows
        const initial = bytes[from] === 0x2d ? bytes[from + 1] : bytes[from]
        if ((initial as number) > 0x39) return this.#put(literals.null)
        return this.#copy(bytes, from, to)
      }
      case 'integer':
      case 'json':
        return this.#copy(bytes, from, to)
      case 'timestamptz':
        if (bytes[to - 3] === 0x2b && this.#timestamp(bytes, from, to - 3)) {
          this.#put(literals.offset)
          this.#out[this.#at++] = quote
          return undefined
        }
        return this.#slow(index, bytes, from, to)
      case 'timestamp':
        if (this.#timestamp(bytes, from, to)) {
          this.#out[this.#at++] = quote
          return undefined
        }
        return this.#slow(index, bytes, from, to)
      case 'text':
        return this.#text(bytes, from, to)
      default:
        return this.#slow(index, bytes, from, to)
    }
  }

  /** Opens a string with `YYYY-MM-DDTHH:MM:SS.ffffff`, always six digits; false for the rare other texts. */
  #timestamp(bytes: Uint8Array, from: number, to: number): boolean {
    const digits = to - from === 19 ? 0 : to - from - 20
    if (digits < 0 || digits > 6 || bytes[from + 10] !== 0x20 || bytes[from + 4] !== 0x2d) return false
    if (digits > 0 && bytes[from + 19] !== 0x2e) return false
    const out = this.#out
    out[this.#at++] = quote
    const start = this.#at
    this.#copy(bytes, from, to)
    out[start + 10] = 0x54
    if (digits === 0) out[this.#at++] = 0x2e
    for (let missing = 6 - digits; missing > 0; missing--) out[this.#at++] = 0x30
    return true
  }

  #text(bytes: Uint8Array, from: number, to: number): void {
    const out = this.#out
    let at = this.#at
    out[at++] = quote
    for (let index = from; index < to; index++) {
      const byte = bytes[index] as number
      if (byte >= 0x20 && byte !== quote && byte !== backslash) {
        out[at++] = byte
        continue
      }
      out[at++] = backslash
      const short = shortEscapes[byte] as number
      if (short !== 0) out[at++] = short
      else {
        out[at++] = 0x75
        out[at++] = 0x30
        out[at++] = 0x30
        out[at++] = hex[byte >> 4] as number
        out[at++] = hex[byte & 15] as number
      }
    }
    out[at++] = quote
    this.#at = at
  }

  /** Arrays, dates and timestamps ISO 8601 has no four-digit year for: rare enough for strings. */
  #slow(index: number, bytes: Uint8Array, from: number, to: number): void {
    const text = decoder.decode(bytes.slice(from, to))
    const json = ascii(valueJson(text, this.#layout.types[index] as number, defaultRowFormat))
    this.#reserve(json.length)
    this.#put(json)
  }

  #put(part: Uint8Array): void {
    this.#copy(part, 0, part.length)
  }

  #copy(bytes: Uint8Array, from: number, to: number): void {
    const out = this.#out
    let at = this.#at
    // a loop beats set() for the few bytes of a usual value
    if (to - from > 64) {
      out.set(bytes.subarray(from, to), at)
      at += to - from
    } else for (let index = from; index < to; index++) out[at++] = bytes[index] as number
    this.#at = at
  }

  /** Makes room for `bytes` more; hands a full chunk over first. */
  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return
    this.flush()
    this.#out = new Uint8Array(Math.max(bytes, this.#nextSize))
    this.#nextSize = chunkBytes
  }
}

function int32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  )
}
