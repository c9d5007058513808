/** A node of the parser's tree or a part of one: field name to value. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The parser writes a node as `{Type: {fields}}` if its type varies, and as bare fields if the grammar fixes the type.
 * Only type names begin with a capital letter.
 */
export function nodeOf(value: unknown): { type: string; fields: Fields } | undefined {
  if (!isFields(value)) return undefined
  const [type] = Object.keys(value)
  if (type === undefined || !/^[A-Z]/.test(type)) return undefined
  return { type, fields: value[type] as Fields }
}

/** The fields of a node of one type; undefined for another type. */
export function fieldsOf(value: unknown, type: string): Fields | undefined {
  const node = nodeOf(value)
  return node?.type === type ? node.fields : undefined
}

/** A list of nodes; an absent list is empty in the parser's output. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The texts of a list of String nodes, such as a qualified name. */
export function namesOf(value: unknown): string[] {
  return listOf(value).map((part) => String(fieldsOf(part, 'String')?.['sval'] ?? ''))
}

/** Calls `visit` for every node in a value, itself included; `type` is absent if the grammar fixes it. */
export function walk(value: unknown, visit: (fields: Fields, type?: string) => void): void {
  if (Array.isArray(value)) {
    for (const member of value) walk(member, visit)
    return
  }
  if (!isFields(value)) return
  const node = nodeOf(value)
  const fields = node ? node.fields : value
  visit(fields, node?.type)
  for (const member of Object.values(fields)) walk(member, visit)
}
