import { copyField, copyLine } from '../../../base/text/copy-text.ts'
import { contract } from '../../../schemas/contract.ts'
import type { ViewName } from '../../../schemas/generated/types.ts'
import { view as definitionOf, views } from '../../../schemas/views.ts'
import type { ViewChanges } from '../../open-points/view-change.ts'
import type { RowChange, RowKey } from '../../statement.ts'
import { type ChangeStep, rowsFile } from './change.ts'
import { hiddenSchema, readerRole, sessionsRole } from './roles.ts'
import { createView } from './views.ts'

/** The columns that tell the rows of a view apart, with their types. */
export function keyColumns(name: ViewName): readonly (readonly [column: string, type: string])[] {
  const { columns } = definitionOf(name)
  return contract.keys[name].map((key) => [key, columns.find((column) => column.name === key)!.postgres])
}

/** Creates the schema and the role of an overlay. Views that it lacks are those that all sessions share. */
export const createOverlay = ({ schema, role }: Place): string[] => [
  `CREATE SCHEMA ${schema}`,
  `CREATE ROLE ${role} NOLOGIN IN ROLE ${sessionsRole}`,
  `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
  `GRANT SELECT ON ALL TABLES IN SCHEMA ${hiddenSchema} TO ${role}`,
]

interface Place {
  readonly schema: string
  readonly role: string
}

/**
 * Creates the tables of an overlay for one view: its own rows, and the keys of removed rows of the plant. A null in a key
 * stands for every value. They have no index: a session has few rows.
 */
export function createOverlayTables(schema: string, name: ViewName): string[] {
  const { table } = definitionOf(name)
  // PLAIN: without it each table has another one for long values
  const columns = keyColumns(name).map(([column, type]) => `${column} ${type} STORAGE PLAIN`)
  return [
    `CREATE TABLE ${schema}.${table} (LIKE plant.${table})`,
    `CREATE TABLE ${schema}.removed_${table} (${columns.join(', ')})`,
  ]
}

/** Empties the tables of a view for another overlay. */
export function emptyOverlayTables(schema: string, name: ViewName): string {
  const { table } = definitionOf(name)
  return `TRUNCATE ${schema}.${table}, ${schema}.removed_${table}`
}

/**
 * Creates a view in a schema, which the role of the schema may read unless a change withholds it. The shared view of its name is no
 * longer the right one.
 *
 * @param own the views for which the schema has rows of its own
 */
export const createViewIn = (
  { schema, role, own }: Place & { readonly own: ReadonlySet<ViewName> },
  name: ViewName,
  changes: readonly ViewChanges[],
): string[] => [
  createView(name, changes, {
    schema,
    ...(own.has(name) && visibleRows(schema, name)),
    relations: (expression) => withOwnRows(expression, schema, own),
  }),
  ...(changes.some((change) => change[name]?.isWithheld)
    ? []
    : [`GRANT SELECT ON ${schema}.${name} TO ${role}`]),
  ...(role === readerRole ? [] : [`REVOKE SELECT ON ${hiddenSchema}.${name} FROM ${role}`]),
]

/**
 * The rows of the plant that are neither replaced nor removed, and those of the overlay. The two parts have no condition of
 * their own: only then does the database use the indexes of the plant in a join. NOT IN, because it hashes the keys once.
 */
function visibleRows(schema: string, name: ViewName) {
  const { table } = definitionOf(name)
  const columns = keyColumns(name).map(([column]) => column)
  const [first, last] = [columns[0]!, columns.at(-1)!]
  const removed = (keys: readonly string[], condition: string) =>
    `SELECT ${keys} FROM ${schema}.removed_${table} WHERE ${condition}`
  const replaced = `SELECT ${columns} FROM ${schema}.${table}`
  const ofPlant = [
    isNotIn(columns, `${replaced} UNION ALL ${removed(columns, `${last} IS NOT NULL`)}`),
    ...(columns.length > 1 ? [isNotIn([first], removed([first], `${last} IS NULL`))] : []),
  ]
  return {
    source: `(SELECT *, false AS is_own FROM plant.${table} UNION ALL SELECT *, true FROM ${schema}.${table})`,
    where: `base.is_own OR ${ofPlant.join(' AND ')}`,
  }
}

/** Whether a row has none of the keys. */
const isNotIn = (keys: readonly string[], rows: string) =>
  `(${keys.map((key) => `base.${key}`)}) NOT IN (${rows})`

/** An expression that reads the rows of the schema too where it reads a table of the plant. */
const withOwnRows = (expression: string, schema: string, own: ReadonlySet<ViewName>): string =>
  expression.replaceAll(/\bplant\.(\w+)/g, (ofPlant, table) => {
    const name = views.find((one) => one.table === table)?.name
    if (name === undefined || !own.has(name)) return ofPlant
    const { source, where } = visibleRows(schema, name)
    return `(SELECT base.* FROM ${source} AS base WHERE ${where})`
  })

/**
 * The statements that apply a change to the tables of an overlay.
 *
 * @param isEmpty whether the overlay has no rows of the view yet
 */
export function overlaySteps(
  schema: string,
  { view, put, remove }: RowChange,
  isEmpty = false,
): ChangeStep[] {
  const { table, columns } = definitionOf(view)
  const keys = keyColumns(view)
  const isWhole = (key: RowKey) => keys.every(([column]) => key[column] !== undefined)
  const [whole, part] = [remove.filter(isWhole), remove.filter((key) => !isWhole(key))]
  const first = keys.slice(0, 1)
  const own = `${schema}.${table}`
  const removed = `${schema}.removed_${table}`
  return [
    ...copied(`${removed} (${namesOf(keys)})`, keyLines(keys, whole)),
    ...copied(`${removed} (${namesOf(first)})`, keyLines(first, part)),
    ...(isEmpty ? [] : deleted(own, keys, [...(put as readonly RowKey[]), ...whole])),
    ...(isEmpty ? [] : deleted(own, first, part)),
    ...copied(
      own,
      put.map((row) => copyLine(row, columns)),
    ),
  ]
}

type KeyColumns = ReturnType<typeof keyColumns>

const namesOf = (columns: KeyColumns) => columns.map(([column]) => column)

const keyLines = (columns: KeyColumns, keys: readonly RowKey[]): string[] =>
  keys.map(
    (key) =>
      `${namesOf(columns)
        .map((name) => copyField(String(key[name])))
        .join('\t')}\n`,
  )

const copied = (into: string, lines: readonly string[]): ChangeStep[] =>
  lines.length === 0
    ? []
    : [{ sql: `COPY ${into} FROM '${rowsFile}'`, rows: new TextEncoder().encode(lines.join('')) }]

/** Deletes the rows of the overlay with these keys. */
function deleted(table: string, columns: KeyColumns, keys: readonly RowKey[]): ChangeStep[] {
  if (keys.length === 0) return []
  const names = namesOf(columns)
  const gone = `json_to_recordset($1::json) AS gone (${columns.map((column) => column.join(' '))})`
  const isGone = names.map((name) => `own.${name} = gone.${name}`).join(' AND ')
  const keyOf = (row: RowKey) => Object.fromEntries(names.map((name) => [name, row[name]]))
  const params = [JSON.stringify(keys.map(keyOf))]
  return [{ sql: `DELETE FROM ${table} AS own USING ${gone} WHERE ${isGone}`, params }]
}
