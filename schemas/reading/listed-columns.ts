/**
 * The column names that an envelope lists beside its rows: `columns: ["id"]` or `columns: [{"name": "id"}]`, also as `fields`.
 * Undefined if it lists none.
 */
export function listedColumns(envelope: object): string[] | undefined {
  const { columns, fields } = envelope as { columns?: unknown; fields?: unknown }
  const listed = columns ?? fields
  if (!Array.isArray(listed)) return undefined
  const names = listed.map((item: unknown) =>
    typeof item === 'object' && item !== null ? (item as { name?: unknown }).name : item,
  )
  return names.every((name) => typeof name === 'string') ? names : undefined
}
