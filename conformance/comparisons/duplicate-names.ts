import { formOf } from '../../schemas/reading/column-names.ts'
import { isObject } from '../connection/values/json.ts'
import type { Reply } from '../connection/http/reply.ts'

/**
 * The variant of the target for column names in both views of the documented join (rows.duplicates); undefined without a
 * row. Needs the aliases `t` and `b`, and the text of the reply, because parsing drops repeated keys.
 */
export function duplicateNames({ data, exchange }: Reply): string | undefined {
  const [first] = data
  const row = isObject(first) && isObject(first['row']) ? first['row'] : first
  // An array has both values, and keys with an alias do not collide.
  if (!isObject(row) || Object.keys(row).every((key) => key.includes('.'))) return undefined
  const values = new Map(Object.entries(row).map(([key, value]) => [formOf(key.replace('.', '_')), value]))
  if (Array.isArray(values.get('id'))) return 'array'
  const written = [...exchange.response!.text.matchAll(/"([^"\\]+)"\s*:/g)]
  if (written.filter(([, key]) => formOf(key!) === formOf('last_updated_at')).length > data.length)
    return 'repeated-keys'
  if (values.has('tid') || values.has('bid')) return 'alias-prefix'
  if ([...values.keys()].some((form) => /^id\d+$/.test(form))) return 'suffix'
  // Only the id of the right view equals bioprocess_id or is null.
  return [values.get(formOf('bioprocess_id')), null, undefined].includes(values.get('id')) ? 'last' : 'first'
}
