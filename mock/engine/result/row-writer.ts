import type { Member } from '../../open-points/rows/duplicates.ts'
import type { Column } from '../../statement.ts'
import { defaultRowFormat, type RowFormat } from './row-format.ts'
import { type Encoding, encodingOf, valueJson } from './values.ts'

/** Receives finished rows, comma separated, and owns the bytes. */
export type ChunkHandler = (chunk: Uint8Array) => void

/** Sizes of the first chunk of a result, so that small answers stay small, and of further ones, in bytes. */
const [firstChunkBytes, chunkBytes] = [16_384, 262_144]

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const ascii = (text: string) => encoder.encode(text)

const literals = { null: ascii('null'), true: ascii('true'), false: ascii('false'), offset: ascii('+00:00') }
const hex = ascii('0123456789abcdef')
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]

/** Letter after the backslash of the escapes that have one. */
const shortEscapes = new Uint8Array(0x60)
for (const [char, letter] of ['""', '\\\\', '\bb', '\tt', '\nn', '\ff', '\rr'].map((pair) => [...pair])) {
  shortEscapes[(char as string).charCodeAt(0)] = (letter as string).charCodeAt(0)
}

/** How a value is written: from its bytes, or as a string if the format changes it or its type is rare. */
type Way = Exclude<Encoding, 'date' | 'array'> | 'string'

/** The way of a type under a format. */
function wayOf(type: number, format: RowFormat): Way {
  const encoding = encodingOf(type)
  const { numberInColumn, numberInJson, nonFinite, json, precision, timestamp } = format
  switch (encoding) {
    case 'integer':
      return numberInColumn ? 'string' : encoding
    case 'number':
      return numberInColumn || nonFinite !== defaultRowFormat.nonFinite ? 'string' : encoding
    case 'json':
      return numberInJson || json ? 'string' : encoding
    case 'timestamptz':
    case 'timestamp':
      return precision || timestamp !== defaultRowFormat.timestamp ? 'string' : encoding
    case 'date':
    case 'array':
      return 'string'
    default:
      return encoding
  }
}

/** A member of a row with its key as it is written, and its column, or several whose values make an array. */
interface WrittenMember {
  readonly key: Uint8Array
  readonly column: number
  readonly list: readonly number[] | undefined
}

/**
 * Turns the DataRow messages of one result into chunks of JSON text, straight from wire bytes to JSON bytes: a usual value costs no
 * string and no object, which makes large answers fast.
 *
 * @throws SqlError if column names repeat and the format makes that an error
 */
export class RowWriter {
  /** Rows written so far. */
  rows = 0
  readonly #columns: readonly Column[]
  readonly #format: RowFormat
  readonly #onChunk: ChunkHandler
  readonly #ways: readonly Way[]
  readonly #members: readonly WrittenMember[]
  readonly #null: Uint8Array | undefined
  readonly #open: Uint8Array
  readonly #close: Uint8Array
  /** Where the value of each column begins and ends. A column without a value begins at -1. */
  readonly #bounds: Int32Array
  readonly #reorder: RowFormat['reorder']
  #out = new Uint8Array(0)
  #at = 0
  /** Where the last whole row ends: a chunk has whole rows. */
  #whole = 0
  /** Where each row of the chunk ends, if rows may be reordered. */
  #ends: number[] = []
  #nextSize = firstChunkBytes

  /** @param mayReorder whether the format may reorder the rows of a page */
  constructor(columns: readonly Column[], format: RowFormat, mayReorder: boolean, onChunk: ChunkHandler) {
    const { isArray, wrap = (object: string) => object } = format.shape
    const [open, close] = isArray ? '[]' : wrap('{}').split(/(?<=\{)(?=\})/)
    this.#columns = columns
    this.#format = format
    this.#onChunk = onChunk
    this.#ways = columns.map(({ type }) => wayOf(type, format))
    this.#members = membersOf(columns, format).map(({ name, columns }) => ({
      key: ascii(isArray ? '' : `${JSON.stringify(name)}:`),
      column: columns[0]!,
      list: columns.length > 1 ? columns : undefined,
    }))
    // the position carries the meaning in an array: no value can be left out
    const nullText = format.null ?? (isArray ? 'null' : undefined)
    this.#null = nullText === undefined ? undefined : ascii(nullText)
    this.#open = ascii(open!)
    this.#close = ascii(close!)
    this.#bounds = new Int32Array(columns.length * 2)
    this.#reorder = mayReorder ? format.reorder : undefined
  }

  /**
   * Adds the DataRow whose body is `bytes[start, end)`.
   *
   * @throws SqlError for a value that the format cannot write
   */
  row(bytes: Uint8Array, start: number): void {
    this.#findValues(bytes, start + 2)
    this.#reserve(this.#open.length + 1)
    if (this.rows > 0) this.#out[this.#at++] = comma
    this.#put(this.#open)
    let isFirst = true
    const omitsNull = this.#null === undefined
    for (const { key, column, list } of this.#members) {
      if (omitsNull && !list && this.#bounds[column * 2]! < 0) continue
      this.#reserve(key.length + 1 + (list ? 0 : this.#room(column)))
      if (!isFirst) this.#out[this.#at++] = comma
      isFirst = false
      this.#put(key)
      if (list) this.#list(list, bytes)
      else this.#column(column, bytes)
    }
    this.#reserve(this.#close.length)
    this.#put(this.#close)
    this.#whole = this.#at
    this.rows++
    if (this.#reorder) this.#ends.push(this.#at)
  }

  /** Hands over the rows that are left. */
  flush(): void {
    this.#handOver()
    this.#out = new Uint8Array(0)
    this.#at = this.#whole = 0
  }

  #handOver(): void {
    if (this.#whole === 0) return
    const chunk = this.#out.subarray(0, this.#whole)
    this.#onChunk(this.#reorder ? this.#reordered(chunk, this.#reorder) : chunk)
  }

  #reordered(chunk: Uint8Array, reorder: (rows: string[]) => void): Uint8Array {
    const ends = this.#ends.splice(0)
    const rows = ends.map((end, index) => decoder.decode(chunk.slice(ends[index - 1] ?? 0, end)))
    const isFirst = !rows[0]!.startsWith(',')
    const bare = rows.map((row) => row.replace(/^,/, ''))
    reorder(bare)
    return ascii((isFirst ? '' : ',') + bare.join(','))
  }

  #findValues(bytes: Uint8Array, start: number): void {
    const bounds = this.#bounds
    let from = start
    for (let at = 0; at < bounds.length; at += 2) {
      const length = int32(bytes, from)
      from += 4
      bounds[at] = length < 0 ? -1 : from
      if (length > 0) from += length
      bounds[at + 1] = length < 0 ? -1 : from
    }
  }

  #list(columns: readonly number[], bytes: Uint8Array): void {
    columns.forEach((column, index) => {
      this.#reserve(1 + this.#room(column))
      this.#out[this.#at++] = index === 0 ? 0x5b : comma
      this.#column(column, bytes)
    })
    this.#reserve(1)
    this.#out[this.#at++] = 0x5d
  }

  /** The most bytes of a value: an escaped byte takes six; timestamps grow by less than 16. */
  #room(column: number): number {
    return (this.#bounds[column * 2 + 1]! - this.#bounds[column * 2]!) * 6 + 16
  }

  #column(column: number, bytes: Uint8Array): void {
    const from = this.#bounds[column * 2]!
    if (from < 0) this.#put(this.#null ?? literals.null)
    else this.#value(column, bytes, from, this.#bounds[column * 2 + 1]!)
  }

  #value(index: number, bytes: Uint8Array, from: number, to: number): void {
    switch (this.#ways[index]) {
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
        return this.#string(index, bytes, from, to)
      case 'timestamp':
        if (this.#timestamp(bytes, from, to)) {
          this.#out[this.#at++] = quote
          return undefined
        }
        return this.#string(index, bytes, from, to)
      case 'text':
        return this.#text(bytes, from, to)
      default:
        return this.#string(index, bytes, from, to)
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

  /** What the format changes, arrays, dates, and timestamps ISO 8601 has no four-digit year for. */
  #string(index: number, bytes: Uint8Array, from: number, to: number): void {
    const text = decoder.decode(bytes.slice(from, to))
    const json = ascii(valueJson(text, this.#columns[index]!.type, this.#format))
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

  /** Makes room for `bytes` more. The whole rows of a full chunk are handed over. */
  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return
    const unfinished = this.#out.subarray(this.#whole, this.#at)
    const out = new Uint8Array(unfinished.length + Math.max(bytes, this.#nextSize))
    out.set(unfinished)
    this.#handOver()
    this.#out = out
    this.#at = unfinished.length
    this.#whole = 0
    this.#nextSize = chunkBytes
  }
}

/** The members of a row object, in column order. */
function membersOf(columns: readonly Column[], { shape, duplicates }: RowFormat): readonly Member[] {
  const names = columns.map(({ name, source }) => (shape.key ? shape.key(name, source) : name))
  const byName = new Map<string, number[]>()
  names.forEach((name, index) => byName.set(name, [...(byName.get(name) ?? []), index]))
  if (shape.isArray || byName.size === names.length)
    return names.map((name, index) => ({ name, columns: [index] }))
  return duplicates({ names, byName, sources: columns.map(({ source }) => source) })
}

function int32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  )
}
