/** A vendor on SQLite, which shares no code with the suite or the reference server. */
import initSqlJs, { type Database, type SqlValue } from 'sql.js'

type Row = Record<string, unknown>
export type Tables = Readonly<Record<string, readonly Row[]>>
type Columns = Readonly<Record<string, readonly string[]>>

class Refused extends Error {}

/** Timestamps with six digits of a second sort as texts. */
const stored = (value: unknown): SqlValue => {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value === 'number') return value
  const [, second, fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00:00)$/.exec(String(value)) ?? []
  return second === undefined ? String(value) : `${second}.${fraction.padEnd(6, '0')}Z`
}

/** Loads the tables. Columns have no type, so that a number stays a number and a text a text. */
async function load(tables: Tables, columnsOf: Columns): Promise<Database> {
  const db = new (await initSqlJs()).Database()
  for (const [name, rows] of Object.entries(tables)) {
    const columns = columnsOf[name]!
    db.run(`CREATE TABLE ${name} (${columns.join(', ')})`)
    db.run('BEGIN')
    const insert = db.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(columns.map((column) => stored(row[column])))
    insert.free()
    db.run('COMMIT')
  }
  return db
}

/** The columns of the tables that hold a kind of value. */
const columnsWith = (tables: Tables, holds: (value: unknown) => boolean): Set<string> =>
  new Set(
    Object.values(tables).flatMap((rows) =>
      Object.keys(rows[0] ?? {}).filter((column) => rows.some((row) => holds(row[column]))),
    ),
  )

function refusalOf(error: unknown): Refused {
  const message = error instanceof Error ? error.message : String(error)
  const [, table] = /no such table: (\w+)/.exec(message) ?? []
  if (table !== undefined) return new Refused(`relation "${table}" does not exist`)
  const isSyntax = /syntax error|incomplete input|unrecognized token/.test(message)
  return new Refused(isSyntax ? `JSON decode error: ${message}` : 'Error executing statement')
}

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const envelope = (status: number, state: string, message: string, data: Row[] = []): Response =>
  json(status, { data, status: { state, message } })

const columnsIn = (tables: Tables): Columns =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, Object.keys(rows[0]!)]))

/** The service as a `fetch`. An empty table needs the names of its columns. */
export async function sqliteVendor(
  tables: Tables,
  token: string,
  columnsOf: Columns = columnsIn(tables),
): Promise<typeof fetch> {
  const db = await load(tables, columnsOf)
  const objects = columnsWith(tables, (value) => typeof value === 'object' && value !== null)
  const booleans = columnsWith(tables, (value) => typeof value === 'boolean')
  const shown = (column: string, value: SqlValue): unknown => {
    if (booleans.has(column) && typeof value === 'number') return value === 1
    if (!objects.has(column) || typeof value !== 'string' || !/^[[{]/.test(value)) return value
    return JSON.parse(value)
  }
  const run = (sql: string): Row[] => {
    if (/^\s*(insert|update|delete|drop|create|alter)\b/i.test(sql))
      throw new Refused('Error executing statement')
    if (/;\s*\S/.test(sql)) throw new Refused('JSON decode error: one statement only')
    const rows: Row[] = []
    try {
      const statement = db.prepare(sql)
      const columns = statement.getColumnNames()
      while (statement.step())
        rows.push(
          Object.fromEntries(statement.get().map((value, at) => [columns[at]!, shown(columns[at]!, value)])),
        )
      statement.free()
    } catch (error) {
      throw refusalOf(error)
    }
    return rows
  }
  return async (input, init) => {
    const { pathname, search } = new URL(String(input))
    if (pathname !== '/external/v1/statements/' || search !== '') return json(404, { detail: 'not found' })
    if (new Headers(init?.headers).get('authorization') !== `Bearer ${token}`)
      return json(401, { detail: 'no valid token' })
    if (init?.method !== 'POST') return json(405, { detail: 'POST only' })
    let statement: unknown
    try {
      statement = (JSON.parse(String(init.body)) as { statement?: unknown } | null)?.statement
    } catch {
      return envelope(200, 'error', 'JSON decode error')
    }
    if (typeof statement !== 'string') return envelope(200, 'error', 'statement is missing')
    try {
      const rows = run(statement)
      return rows.length === 0
        ? envelope(200, 'success', 'The statement ran successfully but returned no results.')
        : envelope(200, 'success', 'OK', rows)
    } catch (error) {
      if (error instanceof Refused) return envelope(200, 'error', error.message)
      throw error
    }
  }
}
