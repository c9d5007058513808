import { showPlain, type JsonObject } from '../connection/json.ts'
import type { Answers } from './answers.ts'
import { asPrinted } from './printed-precision.ts'
import { nearlySame, rowText, sameRow } from './same-value.ts'

/** The difference between two results. */
export interface Difference {
  message: string
  expected: string
  actual: string
}

/** The difference between two results; undefined if they are equal to the precision of the target's timestamps. */
export function difference(answers: Answers): Difference | undefined {
  const found = exactDifference(answers)
  const coarser = found ? asPrinted(answers) : []
  if (coarser.length === 0) return found
  const differences = coarser.map(exactDifference)
  return differences.every((one) => one !== undefined) ? differences[0] : undefined
}

function exactDifference(answers: Answers): Difference | undefined {
  const { columns, expected, actual, ordered, chosen } = answers
  const wanted = chosen ?? expected.length
  // Fast path: most results have the same order too.
  if (actual.length === wanted && actual.every((row, at) => sameRow(row, expected[at]!, columns)))
    return undefined
  if (actual.length !== wanted && chosen !== undefined) return miscounted(answers, wanted)
  if (ordered && actual.length === wanted && chosen === undefined) {
    const at = expected.findIndex((row, index) => !matches(row, actual[index]!, answers))
    return at < 0
      ? undefined
      : {
          message: `row ${at + 1} of ${wanted} differs`,
          ...shown(expected[at], actual[at], answers),
        }
  }
  const { missing, surplus } = unmatched(answers)
  if (surplus.length === 0 && (missing.length === 0 || chosen !== undefined)) return undefined
  if (chosen !== undefined)
    return {
      message: `${surplus.length} of ${actual.length} rows are not in the view`,
      ...shown(mostSimilar(missing, surplus[0]!, columns), surplus[0], answers),
    }
  if (actual.length !== wanted) return miscounted(answers, wanted, missing[0], surplus[0])
  return {
    message: `${surplus.length} of ${wanted} rows differ`,
    ...shown(missing[0], surplus[0], answers),
  }
}

const rows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`

function miscounted(
  { actual, columns }: Answers,
  wanted: number,
  missing?: JsonObject,
  surplus?: JsonObject,
): Difference {
  const example = missing ? `, such as ${showRow(missing, columns)}` : ''
  const unknown = surplus ? `, such as ${showRow(surplus, columns)}` : ''
  return {
    message: `${rows(actual.length)} instead of ${wanted}`,
    expected: `${rows(wanted)}${actual.length < wanted ? example : ''}`,
    actual: `${rows(actual.length)}${actual.length > wanted ? unknown : ''}`,
  }
}

/** The row with the most values in common with an unknown row, probably its correct form. */
function mostSimilar(
  rows: readonly JsonObject[],
  unknown: JsonObject,
  columns: readonly string[],
): JsonObject | undefined {
  let best: { row: JsonObject; common: number } | undefined
  for (const row of rows) {
    const common = columns.filter((column) => sameRow(row, unknown, [column])).length
    if (common > (best?.common ?? 0)) best = { row, common }
  }
  return best?.row
}

/** Both rows as text, limited to the id and the columns that differ. */
function shown(
  expected: JsonObject | undefined,
  actual: JsonObject | undefined,
  { columns, exact }: Answers,
) {
  const same = (one: JsonObject, other: JsonObject, column: string) =>
    exact ? sameRow(one, other, [column]) : nearlySame(one[column] ?? null, other[column] ?? null)
  const differing = expected && actual ? columns.filter((column) => !same(expected, actual, column)) : []
  const key = columns.includes('id') && !differing.includes('id') ? ['id'] : []
  const names = differing.length > 0 ? [...key, ...differing] : columns
  return {
    expected: expected ? showRow(expected, names) : 'rows of the view',
    actual: actual ? showRow(actual, names) : 'no such row',
  }
}

const showRow = (row: JsonObject, columns: readonly string[]): string =>
  showPlain(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])), 300)

function matches(one: JsonObject, other: JsonObject, { columns, exact }: Answers): boolean {
  if (sameRow(one, other, columns)) return true
  return !exact && columns.every((column) => nearlySame(one[column] ?? null, other[column] ?? null))
}

/** Larger sets of rows are not paired: they differ in any case. */
const MOST_PAIRED = 2000

/** The rows of each side without an equal row on the other side. */
function unmatched(answers: Answers): { missing: JsonObject[]; surplus: JsonObject[] } {
  const { columns, expected, actual, exact } = answers
  const stock = new Map<string, JsonObject[]>()
  for (const row of expected) {
    const text = rowText(row, columns)
    const same = stock.get(text)
    if (same) same.push(row)
    else stock.set(text, [row])
  }
  const surplus = actual.filter((row) => stock.get(rowText(row, columns))?.pop() === undefined)
  const missing = [...stock.values()].flat()
  if (exact || surplus.length > MOST_PAIRED || missing.length > MOST_PAIRED) return { missing, surplus }
  const unpaired = surplus.filter((row) => {
    const at = missing.findIndex((candidate) => matches(candidate, row, answers))
    if (at >= 0) missing.splice(at, 1)
    return at < 0
  })
  return { missing, surplus: unpaired }
}
