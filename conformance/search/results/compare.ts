import { showPlain, type JsonObject } from '../../connection/values/json.ts'
import type { Results } from './results.ts'
import { asPrinted } from './printed-precision.ts'
import { isEqualRow, looseTexts, rowText, valueText } from './canonical-values.ts'

/** The difference between two results. */
export interface Difference {
  message: string
  expected: string
  actual: string
  /** What differs, if that is the values of some columns. */
  cause?: string
}

/** The difference between two results; undefined if they are equal to the precision of the target's timestamps. */
export function difference(results: Results): Difference | undefined {
  const found = exactDifference(results)
  const coarser = found ? asPrinted(results) : []
  if (coarser.length === 0) return found
  const differences = coarser.map(exactDifference)
  return differences.every((one) => one !== undefined) ? differences[0] : undefined
}

function exactDifference(results: Results): Difference | undefined {
  const { columns, expected, actual, chosen } = results
  const wanted = chosen ?? expected.length
  if (actual.length !== wanted && chosen !== undefined) return miscounted(results, wanted)
  const { missing, surplus } = unmatched(results)
  if (surplus.length === 0 && (missing.length === 0 || chosen !== undefined)) return undefined
  if (chosen !== undefined)
    return {
      message: `${surplus.length} of ${actual.length} rows are not in the view`,
      ...shown(mostSimilar(missing, surplus[0]!, columns), surplus[0], results),
    }
  if (actual.length !== wanted) return miscounted(results, wanted, missing[0], surplus[0])
  return {
    message: `${surplus.length} of ${wanted} rows differ`,
    ...shown(missing[0], surplus[0], results),
  }
}

const rows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`

function miscounted(
  results: Results,
  wanted: number,
  missing?: JsonObject,
  surplus?: JsonObject,
): Difference {
  const { actual, columns } = results
  const example = missing ? `, such as ${showRow(missing, columns, results)}` : ''
  const unknown = surplus ? `, such as ${showRow(surplus, columns, results)}` : ''
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
    const common = columns.filter((column) => isEqualRow(row, unknown, [column])).length
    if (common > (best?.common ?? 0)) best = { row, common }
  }
  return best?.row
}

/** Both rows as text, limited to the id and the columns that differ. */
function shown(expected: JsonObject | undefined, actual: JsonObject | undefined, results: Results) {
  const { columns } = results
  const differing =
    expected && actual
      ? columns.filter((column) => !matches(expected, actual, { ...results, columns: [column] }))
      : []
  const key = columns.includes('id') && !differing.includes('id') ? ['id'] : []
  const names = differing.length > 0 ? [...key, ...differing] : columns
  return {
    expected: expected ? showRow(expected, names, results) : 'rows of the view',
    actual: actual ? showRow(actual, names, results) : 'no such row',
    ...(differing.length > 0 && { cause: `other values of ${differing.join(', ')}` }),
  }
}

const showRow = (row: JsonObject, columns: readonly string[], { show = showPlain }: Results): string =>
  show(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])), 300)

function matches(one: JsonObject, other: JsonObject, { columns, near }: Results): boolean {
  if (isEqualRow(one, other, columns)) return true
  return near !== undefined && columns.every((column) => near(one[column] ?? null, other[column] ?? null))
}

/** How many rows an equal row is looked for ahead: a row that changes moves to the end in some databases. */
const LOOK_AHEAD = 10

/** The rows of each side that are left when equal rows are paired in order, which most results share. */
function leftOver({ columns, expected, actual }: Results): { expected: JsonObject[]; actual: JsonObject[] } {
  const left: JsonObject[] = []
  const skipped: JsonObject[] = []
  let [next, misses] = [0, 0]
  for (const row of actual) {
    const coming = misses < LOOK_AHEAD ? expected.slice(next, next + LOOK_AHEAD) : []
    const ahead = coming.findIndex((one) => isEqualRow(one, row, columns))
    skipped.push(...coming.slice(0, Math.max(ahead, 0)))
    next += ahead + 1
    misses = ahead === -1 ? misses + 1 : 0
    if (ahead === -1) left.push(row)
  }
  return { expected: [...skipped, ...expected.slice(next)], actual: left }
}

/** The rows of each side without an equal row on the other side. */
function unmatched(results: Results): { missing: JsonObject[]; surplus: JsonObject[] } {
  const { columns, near } = results
  const { expected, actual } = leftOver(results)
  const firstText = (row: JsonObject) => valueText(row[columns[0]!] ?? null)
  // Most rows that LIMIT leaves out differ in their first value, and texts of long rows take time.
  const shown = new Set(actual.map(firstText))
  const stock = new Map<string | undefined, JsonObject[]>()
  for (const row of expected) {
    const text = shown.has(firstText(row)) ? rowText(row, columns) : undefined
    const same = stock.get(text)
    if (same) same.push(row)
    else stock.set(text, [row])
  }
  const surplus = actual.filter((row) => stock.get(rowText(row, columns))?.pop() === undefined)
  const missing = [...stock.values()].flat()
  if (!near || surplus.length === 0) return { missing, surplus }
  const similar = new Map<string, Set<JsonObject>>()
  for (const row of missing) {
    const text = looseTexts(row, columns)[0]!
    similar.set(text, (similar.get(text) ?? new Set()).add(row))
  }
  const unpaired = surplus.filter((row) => {
    const isNear = (one: JsonObject) =>
      columns.every((column) => near(one[column] ?? null, row[column] ?? null))
    return !looseTexts(row, columns).some((text) => {
      const candidates = similar.get(text) ?? new Set()
      const found = [...candidates].find(isNear)
      return found !== undefined && candidates.delete(found)
    })
  })
  return { missing: [...similar.values()].flatMap((rows) => [...rows]), surplus: unpaired }
}
