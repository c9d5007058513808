import { isLosslessNumber } from 'lossless-json'
import { instantOf } from '../connection/instant.ts'
import { canonical, isObject, type Json, type JsonObject } from '../connection/json.ts'

/** How far computed numbers may be apart, relative to the larger: sums depend on the order of the rows. */
export const TOLERANCE = 1e-9
/** Where a computed number may be taken for zero. */
const NEAR_ZERO = 1e-12

/**
 * One text for every way to write the same value: numbers by their digits, timestamps by their microsecond,
 * members of objects in order. Stored values are equal exactly if their texts are.
 */
export function valueText(value: Json): string {
  if (typeof value === 'string') {
    const instant = looksDated(value) ? instantOf(value) : undefined
    return instant === undefined ? JSON.stringify(value) : `@${instant / 1000n}`
  }
  if (isLosslessNumber(value)) return numberText(value.value)
  if (Array.isArray(value)) return `[${value.map(valueText).join()}]`
  if (isObject(value))
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${valueText(value[key]!)}`)
      .join()}}`
  return canonical(value)
}

/** Whole numbers keep all of their digits; of the others as many count as a double holds. */
const numberText = (digits: string): string =>
  /^-?\d{1,15}$/.test(digits) || !/^-?\d+$/.test(digits) ? `#${Number(digits)}` : `#${BigInt(digits)}`

/** May be a timestamp: `2025-…`. */
const looksDated = (text: string): boolean => text.length >= 10 && text[4] === '-' && text[7] === '-'

/** Whether two rows are equal in every column; values that are written alike are compared without canonical texts. */
export const sameRow = (one: JsonObject, other: JsonObject, columns: readonly string[]): boolean =>
  columns.every((column) => sameValue(one[column] ?? null, other[column] ?? null))

function sameValue(one: Json, other: Json): boolean {
  if (one === other) return true
  if (isLosslessNumber(one) && isLosslessNumber(other) && one.value === other.value) return true
  return valueText(one) === valueText(other)
}

/** One text for a row: a null column may as well be left out. */
export const rowText = (row: JsonObject, columns: readonly string[]): string =>
  columns.map((column) => valueText(row[column] ?? null)).join('\u0000')

/** Equal as far as a computed value can be: numbers within {@link TOLERANCE}, also where one is a text. */
export function nearlySame(one: Json, other: Json): boolean {
  if (sameValue(one, other)) return true
  const [a, b] = [numberOf(one), numberOf(other)]
  if (a !== undefined && b !== undefined)
    return Math.abs(a - b) <= Math.max(TOLERANCE * Math.max(Math.abs(a), Math.abs(b)), NEAR_ZERO)
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => nearlySame(item, other[index]!))
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...keys].every((key) => nearlySame(one[key] ?? null, other[key] ?? null))
  }
  return false
}

/** Drivers write numbers that a double cannot hold as texts. */
function numberOf(value: Json): number | undefined {
  if (isLosslessNumber(value)) return Number(value.value)
  if (typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return Number(value)
  return undefined
}
