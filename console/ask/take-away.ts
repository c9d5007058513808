import { textOf } from '../parts/format.ts'
import type { Answer } from '../service/answer.ts'

type Table = Pick<Answer, 'columns' | 'rows'>

const packageName = 'bioprocess-sql-contract'

/** A text as a literal of JavaScript. */
export const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A curl command. The token is read from the environment: a command is pasted into chats and tickets. */
export const asCurl = (url: string, statement: string): string =>
  `curl -sS -X POST ${quoted(url)} -H "Authorization: Bearer $BIOPROCESS_SQL_TOKEN" -H 'Content-Type: application/json' -d ${quoted(JSON.stringify({ statement }))}`

/** A module that asks the same with the typed client. */
export const asTypeScript = (baseUrl: string, statement: string): string =>
  `import { createClient } from ${quote(`${packageName}/client`)}

const client = createClient({ baseUrl: ${quote(baseUrl)}, token: process.env.BIOPROCESS_SQL_TOKEN! })
const rows = await client.query(${templateOf(statement)})
console.table(rows)
`

/** A text as a template literal, which keeps its line breaks. */
export const templateOf = (statement: string): string =>
  `\`${statement.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``

/** The name of a file of rows: the views that a statement names, or else its words, and the day. */
export function fileOf(text: string, now = new Date()): string {
  const words = text.match(/\bv_\w+/g) ?? text.match(/\w+/g) ?? []
  return `${[...new Set(words)].join('-').slice(0, 60).toLowerCase()}-${now.toISOString().slice(0, 10)}.csv`
}

/** The rows as objects. */
export const asJson = ({ columns, rows }: Table): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
    null,
    2,
  )

/** The rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula is preceded by an apostrophe. */
export function asCsv({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

const field = (value: unknown) => {
  const text = textOf(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
