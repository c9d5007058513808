import { contract, type ViewDefinition } from '../../schemas/index.ts'
import { canonical, show, type Json, type JsonObject } from '../connection/values/json.ts'
import type { Selection } from '../connection/target.ts'
import { isSameValue } from './same-value.ts'

/**
 * Documented columns that `SELECT *` never returns although a SELECT by name returns a value. A target may omit null
 * columns (rows.nulls), so a nullable column counts only if both return the same row.
 */
export function hiddenColumns(
  { name, columns }: ViewDefinition,
  all: readonly JsonObject[],
  named: readonly JsonObject[],
): string[] {
  if (all.length === 0) return []
  const key = (row: JsonObject) => canonical(contract.keys[name].map((column) => row[column] ?? null))
  const inBoth = new Set(all.map(key))
  return columns
    .filter((column) => !column.optional && !all.some((row) => column.name in row))
    .filter((column) => {
      const valued = named.filter((row) => (row[column.name] ?? null) !== null)
      return column.nullable ? valued.some((row) => inBoth.has(key(row))) : valued.length > 0
    })
    .map((column) => column.name)
}

export interface ProjectionDifference {
  /** Completes "SELECT of named columns from v_x …". */
  message: string
  expected: string
  actual: string
  /** Whether a concurrent change could explain it. */
  mayHaveChanged: boolean
}

/**
 * Compares the rows of a SELECT with named columns with the whole rows, by `id`: additional, missing and different
 * values. A null equals a missing column (rows.nulls).
 *
 * @param documented all documented columns of the view. Other members of a row are not columns: they are in `further`.
 */
export function projectionDifference(
  all: readonly JsonObject[],
  { rows, reply }: Pick<Selection, 'rows' | 'reply'>,
  columns: readonly string[],
  documented: readonly string[],
): { matched: number; further: string[]; difference?: ProjectionDifference } {
  const keys = new Set(rows.flatMap((row) => Object.keys(row)))
  const unnamed = [...keys].filter((column) => !columns.includes(column))
  const extra = unnamed.filter((column) => documented.includes(column))
  const further = unnamed.filter((column) => !documented.includes(column))
  const tooWide = reply.data.some((row) => Array.isArray(row) && row.length > columns.length)
  if (extra.length > 0 || tooWide) {
    const actual = tooWide ? 'rows with more values' : `also ${extra.join(', ')}`
    return {
      matched: 0,
      further,
      difference: difference('returns columns that were not named', columns.join(', '), actual, false),
    }
  }
  if (rows.length > 0 && !keys.has('id'))
    return {
      matched: 0,
      further,
      difference: difference('leaves out id', columns.join(', '), [...keys].join(', '), false),
    }
  const byId = new Map(all.map((row) => [idOf(row), row]))
  let matched = 0
  for (const row of rows) {
    const whole = byId.get(idOf(row))
    if (!whole) continue
    matched++
    const other = columns.find((column) => !isSameValue(whole[column], row[column]))
    if (other === undefined) continue
    const where = `shows another ${other} of the row ${show(row['id'])} than SELECT *`
    return {
      matched,
      further,
      difference: difference(where, show(whole[other] ?? null), show(row[other]), true),
    }
  }
  return { matched, further }
}

const difference = (
  message: string,
  expected: string,
  actual: string,
  mayHaveChanged: boolean,
): ProjectionDifference => ({
  message,
  expected,
  actual,
  mayHaveChanged,
})

const text = (value: Json | undefined): string => canonical(value ?? null)
const idOf = (row: JsonObject): string => text(row['id'])
