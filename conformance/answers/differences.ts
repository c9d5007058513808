import { contract, view as viewOf, type ViewName } from '../../schemas/index.ts'
import { isSameText } from '../comparisons/same-value.ts'
import type { Json } from '../connection/values/json.ts'
import type { Target } from '../connection/target.ts'
import { rowsIn, type Answer, type ViewRows } from './answers.ts'
import { restingRows, uniqueRows } from './at-rest.ts'
import { keyedRows } from './keyed-rows.ts'

const { column: updated } = contract.delta

/** A value of a row, with the `last_updated_at` beside it, and the answer that shows both. */
export interface Shown {
  value: Json
  /** Null if the answer does not show it. */
  time: Json
  answer: Answer
}

/** Two values of one column of one row. */
export interface Difference {
  view: ViewName
  /** The values of the key columns. */
  key: string
  column: string
  first: Shown
  second: Shown
}

/** The values that answers are compared by. */
export interface Compared {
  /** Whether to compare answers of joins; otherwise those over single views. */
  joined: boolean
  /** Whether to compare only numbers and texts, beside the `last_updated_at` of a row that does not change. */
  atRest: boolean
}

/** The columns that some row has. sql.select-all and sql.select-named find columns that an answer lacks. */
const columnsOf = ({ columns, rows }: ViewRows): string[] =>
  columns.filter((column) => rows.some((row) => column in row))

/** The columns with strings, numbers or booleans, but for the time of the last update. */
function scalarsOf(one: ViewRows): string[] {
  const isScalar = new Set(
    viewOf(one.view)
      .columns.filter(({ types }) => !types.some((type) => /object|array/.test(type)))
      .map(({ name }) => name),
  )
  return columnsOf(one).filter((name) => name !== updated && isScalar.has(name))
}

/**
 * Values that an answer shows differently from the first answer over one view, the number of values and that of rows
 * compared.
 */
export function differences(t: Target, { joined, atRest }: Compared) {
  const all: Difference[] = []
  let [values, rows] = [0, 0]
  for (const view of contract.views) {
    const found = [...rowsIn(t, view)]
    const keys = atRest ? restingRows(t, found) : uniqueRows(found)
    if (keys.size < 2) continue
    rows += keys.size
    const known = new Map<string, Map<string, Shown>>([...keys].map((key) => [key, new Map()]))
    for (const one of found.toSorted((a, b) => Number(a.joined) - Number(b.joined))) {
      if (one.joined && !joined) break
      const columns = atRest ? scalarsOf(one) : columnsOf(one)
      for (const { key, row } of keyedRows(one)) {
        const before = known.get(key)
        const time = row[updated] ?? null
        // An answer of a join often cannot show the time.
        if (!before || (atRest && !one.joined && time === null)) continue
        for (const column of columns) {
          const value = row[column] ?? null
          const first = before.get(column)
          if (!first && !one.joined) before.set(column, { value, time, answer: one.answer })
          if (!first || one.joined !== joined) continue
          values++
          if (first.value !== value && !isSameText(first.value, value))
            all.push({ view, key, column, first, second: { value, time, answer: one.answer } })
        }
      }
    }
  }
  return { all, values, rows }
}

/** Reads a value of a row from an answer; undefined if it does not show it. */
export function readerOf(answer: Answer, view: ViewName) {
  const parts = answer.rows
    .filter((one) => one.view === view)
    .map((one) => ({
      columns: columnsOf(one),
      rows: new Map(keyedRows(one).map(({ key, row }) => [key, row])),
    }))
  return ({ key, column }: Pick<Difference, 'key' | 'column'>): Shown | undefined => {
    const part = parts.find(({ columns, rows }) => columns.includes(column) && rows.has(key))
    const row = part?.rows.get(key)
    return row && { value: row[column] ?? null, time: row[updated] ?? null, answer }
  }
}
