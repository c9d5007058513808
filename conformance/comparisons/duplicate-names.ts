import { isObject } from '../connection/json.ts'
import type { Reply } from '../connection/reply.ts'

/**
 * The variant of the target for column names in both views of the documented join (rows.duplicates); undefined without a
 * row. Needs the aliases `t` and `b`, and the text of the reply, because parsing drops repeated keys.
 */
export function duplicateNames({ data, exchange }: Reply): string | undefined {
  const [first] = data
  const row = isObject(first) && isObject(first['row']) ? first['row'] : first
  // An array has both values, and keys with an alias do not collide.
  if (!isObject(row) || Object.keys(row).every((key) => key.includes('.'))) return undefined
  if (Array.isArray(row['id'])) return 'array'
  const written = exchange.response!.text.match(/"last_updated_at"\s*:/g)?.length ?? 0
  if (written > data.length) return 'repeated-keys'
  const keys = Object.keys(row)
  if (keys.some((key) => /^[tb][._]id$/.test(key))) return 'alias-prefix'
  if (keys.some((key) => /^id\D?\d+$/.test(key))) return 'suffix'
  // Only the id of the right view equals bioprocess_id or is null.
  const value = (name: RegExp) => row[keys.find((key) => name.test(key)) ?? '']
  return [value(/^bioprocess_?id$/i), null, undefined].includes(value(/^id$/i)) ? 'last' : 'first'
}
