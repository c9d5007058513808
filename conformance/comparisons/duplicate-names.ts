import { isObject } from '../connection/json.ts'
import type { Reply } from '../connection/reply.ts'

/**
 * Recognises how the target writes the names that both sides of the documented join have (rows.duplicates): the variant, undefined
 * without a row. Needs the aliases `t` and `b`, and the reply's text, since parsing drops repeated keys.
 */
export function duplicateNames({ data, exchange }: Reply): string | undefined {
  const [first] = data
  const row = isObject(first) && isObject(first['row']) ? first['row'] : first
  // An array holds both values, and keys that all have an alias do not collide.
  if (!isObject(row) || Object.keys(row).every((key) => key.includes('.'))) return undefined
  if (Array.isArray(row['id'])) return 'array'
  const written = exchange.response!.text.match(/"last_updated_at"\s*:/g)?.length ?? 0
  if (written > data.length) return 'repeated-keys'
  const keys = Object.keys(row)
  if (keys.some((key) => /^[tb][._]id$/.test(key))) return 'alias-prefix'
  if (keys.some((key) => /^id\D?\d+$/.test(key))) return 'suffix'
  // The right side's id is the one joined on, or null; the left side's is neither.
  const value = (name: RegExp) => row[keys.find((key) => name.test(key)) ?? '']
  return [value(/^bioprocess_?id$/i), null, undefined].includes(value(/^id$/i)) ? 'last' : 'first'
}
