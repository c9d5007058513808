import type { Member } from '../../open-points/rows/duplicates.ts'
import type { Column } from '../../statement.ts'
import type { RowFormat } from './row-format.ts'
import type { ChunkHandler, RowWriter } from './transcoder.ts'
import { valueJson } from './values.ts'
import { readRow } from './wire.ts'

const encoder = new TextEncoder()

/** Characters a chunk holds before it is handed over. */
const chunkLength = 262_144

/**
 * Writes rows in any {@link RowFormat}, one string at a time.
 *
 * @throws SqlError if column names repeat and the format makes that an error
 */
export class RowEncoder implements RowWriter {
  rows = 0
  readonly #columns: readonly Column[]
  readonly #format: RowFormat
  readonly #onChunk: ChunkHandler
  readonly #members: readonly { readonly key: string; readonly columns: readonly number[] }[]
  readonly #reorder: RowFormat['reorder']
  #held: string[] = []
  #heldLength = 0
  #written = false

  /** @param mayReorder whether the format may reorder the rows of a page */
  constructor(columns: readonly Column[], format: RowFormat, mayReorder: boolean, onChunk: ChunkHandler) {
    this.#columns = columns
    this.#format = format
    this.#reorder = mayReorder ? format.reorder : undefined
    this.#onChunk = onChunk
    this.#members = membersOf(columns, format).map(({ name, columns }) => ({
      key: JSON.stringify(name),
      columns,
    }))
  }

  /** @throws SqlError for a value that the format cannot write */
  row(bytes: Uint8Array, start: number, end: number): void {
    const values = readRow(bytes, start, end).map((text, index) => this.#json(text, index))
    const row = this.#row(values)
    this.rows++
    this.#held.push(row)
    this.#heldLength += row.length
    if (!this.#reorder && this.#heldLength > chunkLength) this.flush()
  }

  flush(): void {
    if (this.#held.length === 0) return
    this.#reorder?.(this.#held)
    const text = (this.#written ? ',' : '') + this.#held.join(',')
    this.#written = true
    this.#held = []
    this.#heldLength = 0
    this.#onChunk(encoder.encode(text))
  }

  #json(text: string | null, index: number): string | undefined {
    if (text === null) return this.#format.null
    return valueJson(text, (this.#columns[index] as Column).type, this.#format)
  }

  #row(values: readonly (string | undefined)[]): string {
    const { isArray, wrap } = this.#format.shape
    // the position carries the meaning in an array: no value can be left out
    if (isArray) return `[${values.map((value) => value ?? 'null').join(',')}]`
    const parts: string[] = []
    for (const { key, columns } of this.#members) {
      const [only] = columns
      const value =
        columns.length === 1
          ? values[only as number]
          : `[${columns.map((column) => values[column] ?? 'null').join(',')}]`
      if (value !== undefined) parts.push(`${key}:${value}`)
    }
    const object = `{${parts.join(',')}}`
    return wrap ? wrap(object) : object
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
