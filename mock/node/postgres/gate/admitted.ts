import { views } from '../../../../schemas/views.ts'
import { allowedFunctions } from '../../../gate/functions.ts'
import { allowedTypes } from '../../../gate/types.ts'
import { type EngineSettings, StatementRefused } from '../../../statement.ts'
import { type Fields, fieldsOf, listOf, walk } from '../../../syntax-tree.ts'
import { limitOf } from '../../../gate/parameters.ts'
import { type Admission, admit } from '../../../gate/gate.ts'
import { isRepeatable } from '../../../gate/repeatable.ts'
import { rowFormat } from '../../../engine/result/row-format.ts'

/** A statement, as data for another thread. */
export interface Asked {
  readonly statement: string
  readonly settings: EngineSettings
  /** The schema of the views. */
  readonly schema: string
  /** The columns that the views have beyond the contract. */
  readonly columns: readonly string[]
}

/** A statement that passed the gate, as data for another thread. */
export interface Admitted extends Pick<Admission, 'text' | 'ordered' | 'sources' | 'silent'> {
  /** The text to execute, which names each view with its schema. */
  readonly text: string
  /** Whether the client wrote a schema. */
  readonly hasSchemas: boolean
  /** The names of columns as the statement spells them; empty unless the settings ask for them. */
  readonly spelled: ReadonlyMap<string, string>
  readonly isRepeatable: boolean
  /** The rows that its LIMIT permits. */
  readonly limit: number | undefined
}

/**
 * Asks the gate. A schema before the name of a view is refused unless it is `public` and the views are there: the gate knows that
 * name, which may be that of other views in a shared database.
 *
 * @throws StatementRefused
 */
export function admitted({ statement, settings, schema, columns }: Asked): readonly Admitted[] {
  const spells = rowFormat(settings).keyCase !== undefined
  return admit(statement, settings).map(({ text, views, ordered, sources, silent, select, spelled }) => {
    const hasSchemas = namesSchemas(select)
    if (hasSchemas && schema !== 'public')
      throw new StatementRefused('other', 'Write the names of views without a schema.', '0A000')
    refuseFunctionsAsColumns(select, columns)
    return {
      text: withSchema(text, views, schema),
      hasSchemas,
      ordered,
      sources,
      silent,
      spelled: spells ? spelled() : new Map(),
      isRepeatable: isRepeatable(select),
      limit: limitOf(select),
    }
  })
}

function namesSchemas(select: Fields): boolean {
  let found = false
  walk(select, (fields) => {
    if ('relname' in fields && fields['schemaname'] !== undefined) found = true
  })
  return found
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder('utf-8', { ignoreBOM: true })]

/**
 * Writes a schema in front of names in a statement.
 *
 *     withSchema('SELECT * FROM v_units', [14], 'lab') // SELECT * FROM "lab".v_units
 *
 * @param places where the names begin, in bytes of UTF-8
 */
export function withSchema(text: string, places: readonly number[], schema: string): string {
  const bytes = encoder.encode(text)
  const prefix = `"${schema.replaceAll('"', '""')}".`
  const parts: string[] = []
  let copied = 0
  for (const place of places.toSorted((a, b) => a - b)) {
    parts.push(decoder.decode(bytes.subarray(copied, place)), prefix)
    copied = place
  }
  return parts.join('') + decoder.decode(bytes.subarray(copied))
}

/** Names that PostgreSQL gives to expressions without an alias and to columns of functions, beside those of functions and types. */
const implicitNames =
  `array case coalesce column1 column2 column3 column4 column5 column6 column7 column8 column9
  current_date current_time current_timestamp exists greatest grouping key least localtime localtimestamp nullif ordinality
  row ?column?`.split(/\s+/)

const alwaysKnown: ReadonlySet<string> = new Set([
  ...views.flatMap(({ columns }) => columns.map(({ name }) => name)),
  ...allowedFunctions,
  ...allowedTypes,
  ...implicitNames,
])

/**
 * Refuses a column that may be a function: PostgreSQL reads `v.f` as `f(v)` if the row has no column `f`. In the embedded engine
 * the rights of the role deny such calls; on other servers everybody may execute most functions. (The gate refuses `(v).f`.)
 *
 * @param columns those that the views have beyond the contract
 * @throws StatementRefused
 */
export function refuseFunctionsAsColumns(select: Fields, columns: readonly string[]): void {
  const sources = namedSources(select)
  walk(select, (fields, type) => {
    if (type !== 'ColumnRef') return
    const path = listOf(fields['fields']).map((part) => fieldsOf(part, 'String')?.['sval'])
    const [source, name] = path.slice(-2)
    if (path.length < 2 || name === undefined) return
    const known = sources.get(String(source)) ?? []
    const isColumn = known.length > 0 && known.every((names) => names.has(String(name)))
    if (!alwaysKnown.has(String(name)) && !columns.includes(String(name)) && !isColumn)
      throw new StatementRefused('other', `column "${name}" does not exist`, '42703')
  })
}

/** Where a statement names columns; the last ones are those of SEARCH and CYCLE. */
const namingFields = `name aliasname colname search_seq_column cycle_mark_column cycle_path_column`.split(' ')

/** The names that a part of a statement gives to columns. */
function namesIn(part: unknown, names = new Set<string>()): Set<string> {
  walk(part, (fields, type) => {
    for (const key of namingFields) if (typeof fields[key] === 'string') names.add(fields[key])
    for (const key of ['colnames', 'aliascolnames'])
      for (const item of listOf(fields[key])) names.add(String(fieldsOf(item, 'String')?.['sval']))
    // a query that takes a column over keeps its name
    if (type === 'ResTarget' && fields['name'] === undefined) {
      const column = listOf(fieldsOf(fields['val'], 'ColumnRef')?.['fields']).at(-1)
      names.add(String(fieldsOf(column, 'String')?.['sval']))
    }
  })
  return names
}

/**
 * The names of columns by the names of the sources that give them. Only the alias of a function names its columns: its single value is
 * no row, so that `f.g` calls g with it.
 */
function namedSources(select: Fields): ReadonlyMap<string, Set<string>[]> {
  const sources = new Map<string, Set<string>[]>()
  const add = (name: unknown, names: Set<string>) =>
    sources.set(String(name), [...(sources.get(String(name)) ?? []), names])
  const queries = new Map<string, Fields>()
  walk(select, (fields, type) => {
    if (type === 'CommonTableExpr') queries.set(String(fields['ctename']), fields)
  })
  walk(select, (fields, type) => {
    const alias = fields['alias'] as Fields | undefined
    const name = alias?.['aliasname'] ?? fields['relname']
    if (name === undefined) return
    if (type === 'RangeFunction') add(name, namesIn([{ Alias: alias }, fields['coldeflist']]))
    else add(name, namesIn([fields, queries.get(String(fields['relname']))]))
  })
  return sources
}
