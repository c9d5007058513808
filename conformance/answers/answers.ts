import { view as viewOf, type ViewName } from '../../schemas/index.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { isObject, type JsonObject } from '../connection/values/json.ts'
import { parseJson } from '../connection/values/parse-json.ts'
import { readReply, type Reply } from '../connection/http/reply.ts'
import { rowsOf } from '../connection/rows.ts'
import { pick, type Target } from '../connection/target.ts'
import { readStatement, type Item, type Statement } from './statement.ts'

/** Rows of one view in an answer, by the documented names of the columns. */
export interface ViewRows {
  view: ViewName
  columns: readonly string[]
  rows: readonly JsonObject[]
  /** Whether the rows come from a join, which may repeat them. */
  joined: boolean
  /** Of the right view of a join: the keys of rows whose other columns are all null, so that they seem to be missing. */
  withoutPartner?: readonly JsonObject[]
}

/** A reply of the run to a request with a valid token. */
export interface Answer {
  reply: Reply
  /** The SQL sent; undefined if the body has none. */
  sql: string | undefined
  /** The same, read; undefined if it has no documented form. */
  statement: Statement | undefined
  /** The rows by view; empty if their columns are not known. */
  rows: readonly ViewRows[]
}

const read = new WeakMap<Exchange, Answer>()

/** Every answer of the run so far, whichever check asked. */
export const answersOf = (t: Target): Answer[] => t.client.answers.map(answerOf)

/** The rows of a view in some answers. */
export type Found = readonly (ViewRows & { answer: Answer })[]

/** The rows of a view in every answer of the run so far. */
export function* rowsIn(t: Target, view: ViewName): Generator<Found[number]> {
  for (const answer of answersOf(t))
    for (const rows of answer.rows) if (rows.view === view) yield { ...rows, answer }
}

/** The answers without rows to documented statements. LIMIT 0 is no statement without results. */
export const emptyAnswers = (t: Target): Answer[] =>
  answersOf(t).filter(
    ({ statement, reply }) =>
      statement !== undefined && statement.limit !== 0 && reply.ok && reply.data.length === 0,
  )

/** Reads an exchange once. @param exchange has a response */
export function answerOf(exchange: Exchange): Answer {
  const known = read.get(exchange)
  if (known) return known
  const reply = readReply(exchange)
  const { sql, statement } = questionIn(exchange)
  const answer = { reply, sql, statement, rows: statement && reply.ok ? byView(reply, statement) : [] }
  read.set(exchange, answer)
  return answer
}

/** The SQL of a request, also of one without a response, and the same read. */
export function questionIn({ request }: Pick<Exchange, 'request'>): Pick<Answer, 'sql' | 'statement'> {
  const sql = statementIn(request.body)
  return { sql, statement: sql === undefined ? undefined : readStatement(sql) }
}

function statementIn(body: string): string | undefined {
  try {
    const json = parseJson(body)
    const statement = isObject(json) ? json['statement'] : undefined
    return typeof statement === 'string' ? statement : undefined
  } catch {
    return undefined
  }
}

/** The rows of a reply by view. Of columns of a join with one name, a key does not tell which it is. */
function byView(reply: Reply, statement: Statement): ViewRows[] {
  const { sources, items } = statement
  const [[leftAlias, leftView]] = [...sources] as [[string, ViewName]]
  const named: readonly Item[] =
    items ??
    [...sources].flatMap(([alias, view]) => viewOf(view).columns.map(({ name }) => ({ alias, column: name })))
  const names = named.map(({ column }) => column)
  const isUnique = (name: string) => names.indexOf(name) === names.lastIndexOf(name)
  if (items && !names.every(isUnique)) return []
  const set = rowsOf(reply, names, items !== undefined)
  if (!set || (set.shape === 'prefixed' && !items)) return []
  if (sources.size === 1) return [{ view: leftView, columns: names, rows: set.rows, joined: false }]
  const split = [...sources].map(([alias, view]): ViewRows => {
    const columns = named
      .filter((item) => item.alias === alias && isUnique(item.column))
      .map(({ column }) => column)
    if (alias === leftAlias)
      return { view, columns, rows: set.rows.map((row) => pick(row, columns)), joined: true }
    return { view, joined: true, ...rightRows(set.rows, columns, alias, statement) }
  })
  if (items) return split
  const shared = sharedColumns([...sources.values()])
  const rows = set.rows.map((row) => pickStrings(row, shared))
  return [...split, { view: leftView, columns: shared, rows, joined: true }]
}

/** The timestamps that several views document alike: whichever of them a key of a join names, the same rules hold. */
const sharedColumns = ([one, ...others]: readonly ViewName[]): string[] =>
  viewOf(one!)
    .columns.filter(
      ({ name, types, format }) =>
        format !== undefined &&
        others.every((other) =>
          viewOf(other).columns.some(
            (column) =>
              column.name === name && column.format === format && column.types.join() === types.join(),
          ),
        ),
    )
    .map(({ name }) => name)

/**
 * The rows of the right view. The column that a join compares has the value of the left one, also where it is not named. A
 * row without a partner has null in every column.
 */
function rightRows(
  rows: readonly JsonObject[],
  columns: readonly string[],
  alias: string,
  { on, items }: Statement,
): Pick<ViewRows, 'columns' | 'rows' | 'withoutPartner'> {
  const key = on?.find((item) => item.alias === alias)
  const left = on?.find((item) => item.alias !== alias)
  const isShown =
    left && (!items || items.some((item) => item.alias === left.alias && item.column === left.column))
  const split = { rows: [] as JsonObject[], withoutPartner: [] as JsonObject[] }
  for (const row of rows) {
    const own = pick(row, columns)
    const value = isShown ? row[left.column] : undefined
    const keyed = key && value !== undefined && value !== null ? { ...own, [key.column]: value } : own
    const hasPartner = Object.values(own).some((each) => each !== null)
    if (hasPartner || keyed !== own) (hasPartner ? split.rows : split.withoutPartner).push(keyed)
  }
  return {
    columns: key && isShown && !columns.includes(key.column) ? [...columns, key.column] : columns,
    ...split,
  }
}

/** Only strings: a right row without a partner has nulls, and both values of a name may stand in an array (rows.duplicates). */
const pickStrings = (row: JsonObject, columns: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(pick(row, columns)).filter(([, value]) => typeof value === 'string'))
