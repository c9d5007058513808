import { isLosslessNumber } from 'lossless-json'
import { instantOf } from '../../connection/values/instant.ts'
import { canonical, isObject, type Json, type JsonObject } from '../../connection/values/json.ts'

/**
 * The canonical text of a value: numbers by their digits, timestamps by their microsecond, sorted keys. Stored values are
 * equal exactly if their texts are.
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

/** Integers keep all digits; other numbers have the precision of a double. */
const numberText = (digits: string): string =>
  /^-?\d{1,15}$/.test(digits) || !/^-?\d+$/.test(digits) ? `#${Number(digits)}` : `#${BigInt(digits)}`

/** Whether a text looks like a timestamp: `2025-…`. */
const looksDated = (text: string): boolean => text.length >= 10 && text[4] === '-' && text[7] === '-'

/** Whether two rows are equal in all columns. */
export const isEqualRow = (one: JsonObject, other: JsonObject, columns: readonly string[]): boolean =>
  columns.every((column) => isEqualValue(one[column] ?? null, other[column] ?? null))

function isEqualValue(one: Json, other: Json): boolean {
  if (one === other) return true
  if (isLosslessNumber(one) && isLosslessNumber(other))
    return one.value === other.value || numberText(one.value) === numberText(other.value)
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isEqualValue(item, other[index]!))
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one)
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isEqualValue(one[key]!, other[key]!))
    )
  }
  return valueText(one) === valueText(other)
}

/** The canonical text of a row. A missing column equals null. */
export const rowText = (row: JsonObject, columns: readonly string[]): string =>
  columns.map((column) => valueText(row[column] ?? null)).join('\u0000')

/** The seconds of a quarter of an hour: zones differ by whole quarters. */
const QUARTER = 900

/**
 * Texts of a row, of which other spellings of the row have one: its values without timestamps, and the second of its first timestamp
 * in the quarter of an hour, which rounding may change by one. The first text is the exact one.
 */
export function looseTexts(row: JsonObject, columns: readonly string[]): string[] {
  let second: number | undefined
  const loose = (value: Json): Json => {
    if (typeof value === 'string') {
      const instant = instantOf(value)
      if (instant !== undefined) second ??= Number(instant / 1_000_000_000n)
      return instant === undefined ? value : '@'
    }
    if (isLosslessNumber(value)) return `#${Number(value.value)}`
    if (Array.isArray(value)) return value.map(loose)
    if (!isObject(value)) return value
    const members = Object.entries(value).filter(([, member]) => member !== null)
    return Object.fromEntries(members.map(([key, member]) => [key, loose(member)]))
  }
  const text = columns.map((column) => canonical(loose(row[column] ?? null))).join('\u0000')
  const at = second
  if (at === undefined) return [text]
  return [0, -1, 1].map((shift) => `${text} ${(((at + shift) % QUARTER) + QUARTER) % QUARTER}`)
}
