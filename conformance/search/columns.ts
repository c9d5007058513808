import { contract, tableColumns, type ViewName } from '../../schemas/index.ts'
import type { ColumnKind, ColumnUse, Query, Source } from './syntax.ts'

const KINDS = {
  text: 'text',
  timestamptz: 'instant',
  float8: 'number',
  numeric: 'number',
  boolean: 'boolean',
  jsonb: 'json',
} as const

/** The required columns of a view. */
export const columnsOf = ({ view: name, alias }: Source): ColumnUse[] =>
  tableColumns(name).map((column) => ({
    is: 'column',
    of: alias,
    name: column.name,
    kind: KINDS[column.postgres] satisfies ColumnKind,
  }))

/** The key columns of a view; empty if its key may repeat: the contract does not say that a record is archived once. */
export const keyOf = (name: ViewName): readonly string[] =>
  name === 'v_archived_records' ? [] : contract.keys[name]

/** Whether ORDER BY determines the order of all rows: it has the key of every view. */
export function isTotallyOrdered({ from, join, orderBy = [], distinct, groupBy }: Query): boolean {
  if (distinct) return false
  const ordered = orderBy.flatMap(({ expression }) =>
    expression.is === 'column' ? [`${expression.of}.${expression.name}`] : [],
  )
  if (groupBy)
    return groupBy.every((group) => group.is === 'column' && ordered.includes(`${group.of}.${group.name}`))
  return [from, ...(join ? [join.source] : [])].every(({ view: name, alias }) => {
    const key = keyOf(name)
    return key.length > 0 && key.every((column) => ordered.includes(`${alias}.${column}`))
  })
}

/** The names of the returned columns, in order. */
export const columnNames = (query: Query): string[] =>
  query.items.flatMap((item) => (item === '*' ? columnsOf(query.from).map(({ name }) => name) : [item.name]))
