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

/** A word of a filter. */
export interface Word {
  /** The column that it is sought in; without one, in the shown columns. */
  readonly column?: number
  /** Whether a value has it, as it is shown. */
  readonly isIn: (text: string) => boolean
  /** Whether it is the rows with it that are left out. */
  readonly isExcluded: boolean
}

const partsOf = (filter: string): readonly string[] => filter.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []

/**
 * The words of a filter: `draft`, or `-draft` for rows without it. `status:draft` is sought in one column, and `value>=5`
 * compares the numbers or timestamps of one; `=` texts as well. Quotes keep words together.
 */
export function wordsOf(filter: string, columns: readonly string[]): readonly Word[] {
  return partsOf(filter).map((part) => {
    // SQL has comments
    const isExcluded = /^-[^-]/.test(part)
    const text = part.slice(Number(isExcluded)).replaceAll('"', '')
    const operatorOf = (name: string) =>
      text.toLowerCase().startsWith(name.toLowerCase()) &&
      /^(?::|=|[<>]=?)/.exec(text.slice(name.length))?.[0]
    const column = columns.findIndex(operatorOf)
    if (column < 0) return { isIn: having(text), isExcluded }
    const operator = operatorOf(columns[column]!) as string
    const word = text.slice(columns[column]!.length + operator.length)
    // a null is an empty text
    const isNull = /^null$/i.test(word) && /[:=]/.test(operator)
    const isIn = isNull
      ? (value: string) => value === ''
      : operator === ':'
        ? having(word)
        : comparing(operator, word)
    return { column, isIn, isExcluded }
  })
}

function having(word: string): Word['isIn'] {
  const pattern = new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu')
  return (text) => pattern.test(text)
}

/** A limit that is not written yet leaves all rows, and one that is no amount leaves none. */
function comparing(operator: string, limit: string): Word['isIn'] {
  const read = /^\d{4}-\d\d/.test(limit) ? timeIn : numberIn
  const most = read(limit)
  return (text) => {
    const value = read(text)
    if (limit === '' || value === most) return limit === '' || operator.endsWith('=')
    if (operator === '=') return text.toLowerCase() === limit.toLowerCase()
    return operator.startsWith('<') ? value < most : value > most
  }
}

/** Milliseconds since 1970 of a timestamp of ISO 8601 or PostgreSQL, which is UTC without a zone; NaN for any other text. */
function timeIn(text: string): number {
  const [, day, clock = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d(?:-\d\d)?)(?:[T ](\d\d:\d\d[\d:.]*)(Z|[+-]\d\d(?::\d\d)?)?)?$/.exec(text) ?? []
  return Date.parse(`${day}T${clock}${zone.length === 3 ? `${zone}:00` : zone}`)
}

/** The columns of similar names for the first name in a filter that is no column; undefined if all are. */
export function hintOf(filter: string, columns: readonly string[]): string | undefined {
  const all = columns.map((name) => name.toLowerCase())
  const names = partsOf(filter).map((part) => /^-?([a-z_]\w*)[:<>=]/i.exec(part)?.[1]?.toLowerCase())
  const unknown = names.find((name) => name && !all.includes(name))
  if (!unknown) return undefined
  const parts = [unknown, unknown.slice(0, 3), unknown.slice(-3)]
  const similar = columns.filter((_, at) => parts.some((part) => all[at]!.includes(part)))
  const [what, some] = similar[0] === undefined ? ['The columns', columns] : ['Similar', similar]
  return `There is no column ${unknown}. ${what} are: ${some.slice(0, 8).join(', ')}.`
}

/** Those indexes whose rows every word leaves, in upper or lower case. */
export function* matching(
  rows: Rows,
  order: Order,
  shown: readonly number[],
  words: readonly Word[],
): Steps<Order> {
  if (words.length === 0) return order
  const found: number[] = []
  for (const index of order) {
    const isMatch = words.every(({ isIn, column, isExcluded }) => {
      const places = column === undefined ? shown : [column]
      return isExcluded !== places.some((place) => isIn(textOf(rows[index]![place])))
    })
    if (isMatch) found.push(index)
    yield
  }
  return Uint32Array.from(found)
}

type Key = number | bigint | string | undefined

function keyOf(value: unknown): Key {
  if (value === null || value === undefined) return undefined
  if (!isNumber(value)) return textOf(value)
  return numberIn(String(value))
}

/** NaN for a text that is no number. */
function numberIn(text: string): number | bigint {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  // beyond 2^53 two integers can be one JavaScript number
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number
}

function compare(a: Key, b: Key, isDescending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const isText = Number(typeof a === 'string') - Number(typeof b === 'string')
  const ascending = isText || (a < b ? -1 : a > b ? 1 : 0)
  return isDescending ? -ascending : ascending
}
