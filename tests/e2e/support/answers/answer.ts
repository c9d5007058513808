import { parse } from 'lossless-json'
import pg from 'pg'
import { SqlError, type StatementEngine, StatementRefused } from '../../../../mock/statement.ts'

/** What came back: rows as JSON texts, or an error: its kind as of the server, and its SQLSTATE unless the server refused the statement itself. */
export type Answer =
  | { readonly rows: readonly string[] }
  | { readonly kind: string; readonly sqlState?: string; readonly message: string }

/** JSON with exact numbers. */
const exact = (json: string) => parse(json, undefined, (number) => `#${number}`)

/** The answer of an engine of the server. @throws whatever is no error of SQL */
export async function answerOf(engine: StatementEngine, sql: string): Promise<Answer> {
  try {
    const { chunks } = await engine.execute(sql, { signal: new AbortController().signal })
    const parts: Uint8Array[] = []
    for await (const chunk of chunks) parts.push(chunk)
    const rows = exact(`[${Buffer.concat(parts).toString()}]`) as unknown[]
    return { rows: rows.map((row) => JSON.stringify(row)) }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    const { kind, sqlState, message } = error
    return { kind, ...(!(error instanceof StatementRefused) && { sqlState }), message }
  }
}

/** A connection to a PostgreSQL, without any code of the server. */
export interface PlainPostgres {
  readonly major: number
  answer(sql: string): Promise<Answer>
  end(): Promise<void>
}

export async function connectPlain(connectionString: string): Promise<PlainPostgres> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`SET timezone = 'UTC'; SET search_path = bioprocess`)
  const version = await client.query('SHOW server_version_num')
  const arrays = await client.query(`SELECT oid, typelem FROM pg_type WHERE typcategory = 'A'`)
  const elements = new Map(arrays.rows.map(({ oid, typelem }) => [Number(oid), Number(typelem)]))
  return {
    major: Math.floor(version.rows[0].server_version_num / 10_000),
    answer: (sql) => plainAnswer(client, sql, elements),
    end: () => client.end(),
  }
}

const textArrays: number = 1009
/** Reads an array as texts. */
const textArray = pg.types.getTypeParser(textArrays)
const asText: pg.CustomTypesConfig = { getTypeParser: () => String }

async function plainAnswer(
  client: pg.Client,
  text: string,
  elements: ReadonlyMap<number, number>,
): Promise<Answer> {
  try {
    const { rows, fields } = await client.query<(string | null)[]>({ text, rowMode: 'array', types: asText })
    const names = fields.map(({ name }) => name)
    // of two columns with the same name the last one wins
    const shown = fields
      .map((field, at) => ({ ...field, at }))
      .filter(({ name, at }) => names.lastIndexOf(name) === at)
    const objectOf = (row: (string | null)[]) =>
      Object.fromEntries(
        shown.map(({ name, at, dataTypeID }) => [name, valueOf(row[at]!, dataTypeID, elements)]),
      )
    return { rows: rows.map((row) => JSON.stringify(objectOf(row))) }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    const { code = '', file = '', routine, message } = error
    const isSyntax = /^(scan|gram|parser)\./.test(file)
    const kind = isSyntax ? 'syntax' : routine === 'parserOpenTable' ? 'unknown-relation' : 'other'
    return { kind, sqlState: code, message }
  }
}

/** A value as the contract's JSON has it (docs/decisions/0023, ruling 7). @param oid of its type @param elements of array types */
function valueOf(text: string | null, oid: number, elements: ReadonlyMap<number, number>): unknown {
  if (text === null) return null
  const element = elements.get(oid)
  if (element !== undefined) {
    const itemOf = (item: unknown): unknown =>
      Array.isArray(item) ? item.map(itemOf) : valueOf(item as string | null, element, elements)
    return itemOf(textArray(text))
  }
  if (oid === 16) return text === 't'
  if ([20, 21, 23, 26, 700, 701, 1700].includes(oid)) return /N|I/.test(text) ? null : `#${text}`
  if (oid === 114 || oid === 3802) return exact(text)
  if (![1082, 1114, 1184].includes(oid)) return text
  if (text.endsWith('infinity')) return null
  const time = /^(\d{4}-\d\d-\d\d) ([\d:]+)(?:\.(\d+))?(\+00)?$/.exec(text)
  return time ? `${time[1]}T${time[2]}.${(time[3] ?? '').padEnd(6, '0')}${time[4] ? '+00:00' : ''}` : text
}

/**
 * How two answers differ; undefined if they are the same. Rows without a total order may come in any. What the server refuses itself must fail in
 * PostgreSQL with an error of the same kind.
 */
export function differenceOf(sql: string, own: Answer, plain: Answer): string | undefined {
  if ('rows' in own && 'rows' in plain) {
    const isOrdered = /ORDER BY [^()]*$/.test(sql)
    const [rows, others] = [own.rows, plain.rows].map((rows) => (isOrdered ? rows : rows.toSorted()))
    const differs = rows!.findIndex((row, at) => row !== others![at])
    if (differs < 0 && rows!.length === others!.length) return undefined
    const at = differs < 0 ? rows!.length : differs
    return [rows!, others!].map((rows) => `row ${at} of ${rows.length}: ${printed(rows[at])}`).join('\n  ')
  }
  if (!('rows' in own) && !('rows' in plain) && own.kind === plain.kind)
    if (own.sqlState === undefined || own.sqlState === plain.sqlState) return undefined
  return `${printed(own)}\n  ${printed(plain)}`
}

const printed = (value: unknown) => String(JSON.stringify(value)).slice(0, 1_000)
