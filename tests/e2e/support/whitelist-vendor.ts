/**
 * A vendor without an SQL engine, which shares no code with the suite or the reference server: it reads arrays and accepts only
 * the four documented shapes of statements.
 */

type Row = Record<string, unknown>
export type Tables = Readonly<Record<string, readonly Row[]>>

class Refused extends Error {}

const TOKEN = /\s*('(?:[^']|'')*'|[a-z_]\w*|\d+|[.,()*=>;])/iy

function tokensOf(sql: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < sql.trimEnd().length) {
    const match = TOKEN.exec(sql)
    if (!match) throw new Refused('JSON decode error: unexpected character')
    tokens.push(match[1]!)
  }
  return tokens
}

/** Reads a statement from left to right and evaluates it. */
function run(sql: string, tables: Tables): Row[] {
  const tokens = tokensOf(sql)
  let at = 0
  const next = (): string => tokens[at++] ?? ''
  const accept = (word: string): boolean => tokens[at]?.toLowerCase() === word && Boolean(++at)
  const expect = (word: string): void => {
    if (!accept(word)) throw new Refused(`JSON decode error: expected ${word}`)
  }
  const table = (): { rows: readonly Row[]; alias: string } => {
    const name = next()
    if (!/^[a-z_]\w*$/i.test(name)) throw new Refused('JSON decode error: expected a view')
    const rows = tables[name]
    if (!rows) throw new Refused(`relation "${name}" does not exist`)
    const isAlias = accept('as') || /^(?!left$|on$|where$|limit$)[a-z_]\w*$/i.test(tokens[at] ?? '')
    return { rows, alias: isAlias ? next() : name }
  }
  const column = (): [alias: string | undefined, name: string] => {
    const first = next()
    const [of, name] = accept('.') ? [first, next()] : [undefined, first]
    if (!/^(\*|[a-z_]\w*)$/i.test(name)) throw new Refused('JSON decode error: expected a column')
    return [of, name]
  }

  expect('select')
  const items: [alias: string | undefined, name: string][] = []
  do items.push(column())
  while (accept(','))
  expect('from')
  const left = table()
  let joined: Record<string, Row>[] = left.rows.map((row) => ({ [left.alias]: row }))
  const aliases = [left.alias]
  if (accept('left')) {
    expect('join')
    const right = table()
    expect('on')
    const one = column()
    expect('=')
    const [own, other] = one[0] === left.alias ? [one, column()] : [column(), one]
    const partners = new Map<unknown, Row[]>()
    for (const row of right.rows) partners.set(row[other[1]], [...(partners.get(row[other[1]]) ?? []), row])
    const none = Object.fromEntries(Object.keys(right.rows[0] ?? {}).map((name) => [name, null]))
    joined = left.rows.flatMap((row) => {
      const found = row[own[1]] === null ? undefined : partners.get(row[own[1]])
      return (found ?? [none]).map((partner) => ({ [left.alias]: row, [right.alias]: partner }))
    })
    aliases.push(right.alias)
  }
  if (accept('where')) {
    const [alias = left.alias, name] = column()
    if (!aliases.includes(alias)) throw new Refused(`missing FROM-clause entry for table "${alias}"`)
    expect('>')
    const bound = accept('(') ? maximum() : inUtc(next().slice(1, -1))
    if (!/^\d{4}-\d\d-\d\d/.test(bound)) throw new Refused('JSON decode error: expected a date')
    joined = joined.filter((row) => sortable(row[alias]![name]) > sortable(bound))
  }
  if (accept('limit')) {
    const limit = next()
    if (!/^\d+$/.test(limit)) throw new Refused('JSON decode error: expected a number')
    joined = joined.slice(0, Number(limit))
  }
  if (at < tokens.length) throw new Refused('JSON decode error: unexpected text')

  function maximum(): string {
    expect('select')
    expect('max')
    expect('(')
    const [, name] = column()
    expect(')')
    expect('from')
    const { rows } = table()
    expect(')')
    return rows
      .map((row) => String(row[name]))
      .reduce((a, b) => (sortable(a) > sortable(b) ? a : b), '0000-01-01')
  }

  return joined.map((row) =>
    Object.assign(
      {},
      ...items.map(([alias = aliases.length === 1 ? left.alias : undefined, name]) => {
        if (name === '*') return alias === undefined ? Object.assign({}, ...Object.values(row)) : row[alias]
        const value = alias === undefined ? undefined : row[alias]?.[name]
        if (value === undefined) throw new Refused('Error executing statement')
        return { [name]: value }
      }),
    ),
  )
}

/** A timestamp with an offset in UTC: a service that prints another zone also reads it. */
const inUtc = (text: string): string =>
  text.replace(
    /^(.{19})(\.\d+)?([+-]\d\d:\d\d)$/,
    (_, seconds: string, fraction = '', offset: string) =>
      `${new Date(seconds + offset).toISOString().slice(0, 19)}${fraction}Z`,
  )

/** Timestamps in UTC with and without a fraction, and dates, in one order. */
const sortable = (value: unknown): string =>
  String(value)
    .replace(/(\+00:00|Z)$/, '')
    .padEnd(11, 'T')
    .replace(/^(.{19})$/, '$1.')
    .padEnd(26, '0')

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const envelope = (status: number, state: string, message: string, data: Row[] = []): Response =>
  json(status, { data, status: { state, message } })

/** The service as a `fetch`. */
export const whitelistVendor =
  (tables: Tables, token: string): typeof fetch =>
  async (input, init) => {
    const { pathname, search } = new URL(String(input))
    if (pathname !== '/external/v1/statements/' || search !== '') return json(404, { detail: 'not found' })
    if (new Headers(init?.headers).get('authorization') !== `Bearer ${token}`)
      return json(401, { detail: 'no valid token' })
    if (init?.method !== 'POST') return json(405, { detail: 'POST only' })
    let statement: unknown
    try {
      const body: unknown = JSON.parse(String(init.body))
      statement = (body as { statement?: unknown } | null)?.statement
    } catch {
      return envelope(400, 'error', 'JSON decode error')
    }
    if (typeof statement !== 'string') return envelope(400, 'error', 'statement is missing')
    try {
      const rows = run(statement, tables)
      return rows.length === 0
        ? envelope(200, 'success', 'The statement ran successfully, but there are no results.')
        : envelope(200, 'success', `${rows.length} rows.`, rows)
    } catch (error) {
      if (error instanceof Refused) return envelope(400, 'error', error.message)
      throw error
    }
  }
