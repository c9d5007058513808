import type { ColumnDefinition } from '../../../schemas/index.ts'

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * One line of PostgreSQL's COPY text format, its newline included.
 * Source: PostgreSQL documentation, COPY, "Text Format".
 */
export function copyLine(row: object, columns: readonly ColumnDefinition[]): string {
  const values = columns.map(({ name, postgres }) => {
    const value = (row as Record<string, unknown>)[name]
    if (value === null || value === undefined) return '\\N'
    const text = postgres === 'jsonb' ? JSON.stringify(value) : String(value)
    return text.replace(/[\\\n\r\t]/g, (char) => escapes[char] as string)
  })
  return `${values.join('\t')}\n`
}
