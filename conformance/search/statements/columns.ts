import { tableColumns } from '../../../schemas/index.ts'
import type { ColumnUse, Query, Source } from './syntax.ts'

/** The required columns of a view. */
export const columnsOf = ({ view, alias }: Source): ColumnUse[] =>
  tableColumns(view).map(({ name, postgres }) => ({ of: alias, name, isJson: postgres === 'jsonb' }))

/** The names of the returned columns, in order. */
export const columnNames = ({ items, from }: Query): string[] =>
  items.flatMap((item) => (item === '*' ? columnsOf(from).map(({ name }) => name) : [item.name]))
