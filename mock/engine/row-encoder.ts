import { type Column, type RowFormat, SqlError } from './engine.ts'
import type { ChunkHandler, RowWriter } from './transcoder.ts'
import { valueJson } from './values.ts'
import { readRow } from './wire.ts'

const encoder = new TextEncoder()

/** Characters a chunk holds before it is handed over. */
const chunkLength = 262_144

/** One member of a row object: its key and the columns whose values it takes. */
interface Member {
  readonly key: string
  readonly columns: readonly number[]
}

/**
 * Writes rows in any {@link RowFormat}, one string at a time.
 *
 * @throws SqlError when column names repeat and the format makes that an error
 */
export class RowEncoder implements RowWriter {
  rows = 0
  readonly #columns: readonly Column[]
  readonly #format: RowFormat
  readonly #onChunk: ChunkHandler
  readonly #members: readonly Member[]
  readonly #shuffle: boolean
  #held: string[] = []
  #heldLength = 0
  #written = false

  /** @param shuffle whether the rows of a page change places */
  constructor(columns: readonly Column[], format: RowFormat, shuffle: boolean, onChunk: ChunkHandler) {
    this.#columns = columns
    this.#format = format
    this.#shuffle = shuffle
    this.#onChunk = onChunk
    this.#members = members(columns, format)
  }

  /** @throws SqlError for a value that the format can't write */
  row(bytes: Uint8Array, start: number, end: number): void {
    const values = readRow(bytes, start, end).map((text, index) => this.#json(text, index))
    const row = this.#row(values)
    this.rows++
    this.#held.push(row)
    this.#heldLength += row.length
    if (!this.#shuffle && this.#heldLength > chunkLength) this.flush()
  }

  flush(): void {
    if (this.#held.length === 0) return
    if (this.#shuffle) shuffle(this.#held)
    const text = (this.#written ? ',' : '') + this.#held.join(',')
    this.#written = true
    this.#held = []
    this.#heldLength = 0
    this.#onChunk(encoder.encode(text))
  }

  #json(text: string | null, index: number): string | undefined {
    if (text !== null) {
      return valueJson(text, (this.#columns[index] as Column).type, this.#format)
    }
    if (this.#format.nulls === 'empty-string') return '""'
    return this.#format.nulls === 'omitted' ? undefined : 'null'
  }

  #row(values: readonly (string | undefined)[]): string {
    const { shape } = this.#format
    // positions carry the meaning in an array: nothing can be left out
    if (shape === 'array' || shape === 'array-with-columns') {
      return `[${values.map((value) => value ?? 'null').join(',')}]`
    }
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
    return shape === 'wrapped' ? `{"row":${object}}` : object
  }
}

const named = (name: string, ...at: number[]): Member => ({ key: JSON.stringify(name), columns: at })

/** Decides the keys of a row object, in column order. */
function members(columns: readonly Column[], { shape, duplicates }: RowFormat): Member[] {
  const prefix = shape === 'prefixed' ? '.' : ''
  const names = columns.map(({ name, source }) => (prefix && source ? `${source}${prefix}${name}` : name))
  const byName = new Map<string, number[]>()
  names.forEach((name, index) => byName.set(name, [...(byName.get(name) ?? []), index]))

  if (shape === 'array' || shape === 'array-with-columns' || byName.size === names.length) {
    return names.map((name, index) => named(name, index))
  }
  switch (duplicates) {
    case 'last':
      return [...byName].map(([name, at]) => named(name, at.at(-1) as number))
    case 'first':
      return [...byName].map(([name, at]) => named(name, at[0] as number))
    case 'array':
      return [...byName].map(([name, at]) => named(name, ...at))
    case 'repeated-keys':
      return names.map((name, index) => named(name, index))
    case 'suffix':
      return names.map((name, index) => {
        const nth = (byName.get(name) as number[]).indexOf(index)
        return named(nth === 0 ? name : `${name}_${nth}`, index)
      })
    case 'alias-prefix':
      return names.map((name, index) => {
        const source = columns[index]?.source
        const repeats = (byName.get(name) as number[]).length > 1
        return named(repeats && source ? `${source}_${name}` : name, index)
      })
    case 'error':
      throw new SqlError('other', 'A column name occurs twice in the result.', '42701')
  }
}

/** Fisher and Yates. */
function shuffle(rows: string[]): void {
  for (let left = rows.length - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1))
    ;[rows[left], rows[other]] = [rows[other] as string, rows[left] as string]
  }
}
