import { textOf } from '../parts/format.ts'
import { isNumber } from '../service/wire-number.ts'

export type Rows = readonly (readonly unknown[])[]
export type Sort = { readonly column: number; readonly isDescending: boolean } | undefined
/** Indexes of rows. */
export type Order = Uint32Array
/** Work that can pause: it yields every few microseconds, and returns its result. */
export type Steps<T> = Generator<undefined, T>

/**
 * The indexes of the rows in the order of a column, or as sent. Numbers precede texts, nulls are last in both directions, and
 * equal values stay as sent. Texts and JSON are compared by UTF-16 code unit. A merge sort, since `sort` cannot pause.
 */
export function* sorted(rows: Rows, sort: Sort): Steps<Order> {
  let from = new Uint32Array(rows.length).map((_, index) => index)
  if (!sort) return from
  let to = new Uint32Array(rows.length)
  const keys: Key[] = []
  for (const row of rows) yield void keys.push(keyOf(row[sort.column]))
  for (let width = 1; width < rows.length; width *= 2) {
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length)
      const end = Math.min(start + 2 * width, rows.length)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const isRight =
          left === middle ||
          (right < end && compare(keys[from[left]!], keys[from[right]!], sort.isDescending) > 0)
        to[at] = from[isRight ? right++ : left++]!
        if (at % 64 === 0) yield
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** A word of a filter, and the column that it is sought in; without one, in the shown columns. */
export interface Word {
  readonly pattern: RegExp
  readonly column?: number
}

/** The words of a filter. `status:draft` is sought in one column, and quotes keep words together. */
export function wordsOf(filter: string, columns: readonly string[]): readonly Word[] {
  return (filter.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map((part) => {
    const text = part.replaceAll('"', '')
    const column = columns.findIndex((name) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    const word = column < 0 ? text : text.slice(columns[column]!.length + 1)
    const pattern = new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu')
    return column < 0 ? { pattern } : { pattern, column }
  })
}

/** Those indexes whose rows have every word, in upper or lower case. */
export function* matching(
  rows: Rows,
  order: Order,
  shown: readonly number[],
  words: readonly Word[],
): Steps<Order> {
  if (words.length === 0) return order
  const found: number[] = []
  for (const index of order) {
    const has = (column: number, pattern: RegExp) => pattern.test(textOf(rows[index]![column]))
    const isMatch = words.every(({ pattern, column }) =>
      column === undefined ? shown.some((one) => has(one, pattern)) : has(column, pattern),
    )
    if (isMatch) found.push(index)
    yield
  }
  return Uint32Array.from(found)
}

type Key = number | bigint | string | undefined

function keyOf(value: unknown): Key {
  if (value === null || value === undefined) return undefined
  if (!isNumber(value)) return textOf(value)
  const [text, number] = [String(value), Number(value)]
  // beyond 2^53 two integers can be one JavaScript number
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number
}

function compare(a: Key, b: Key, isDescending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const isText = Number(typeof a === 'string') - Number(typeof b === 'string')
  const ascending = isText || (a < b ? -1 : a > b ? 1 : 0)
  return isDescending ? -ascending : ascending
}
