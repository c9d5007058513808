import type { Column, RowFormat } from './engine.ts'

/**
 * Columns by the names that a letter case gives them.
 *
 * @param spelled how the statement spells names that it does not quote, by their lower case
 */
export function inCase(
  columns: readonly Column[],
  letterCase: RowFormat['case'],
  spelled: () => ReadonlyMap<string, string>,
): readonly Column[] {
  if (letterCase === 'lower') return columns
  const spellings = letterCase === 'as-stored' ? spelled() : undefined
  const rename = (name: string): string => {
    if (spellings) return spellings.get(name) ?? name
    return letterCase === 'upper' ? name.toUpperCase() : camel(name)
  }
  return columns.map((column) => ({ ...column, name: rename(column.name) }))
}

const camel = (name: string) =>
  name.replace(/(?<=[^_])_+([^_])/g, (_, letter: string) => letter.toUpperCase())
