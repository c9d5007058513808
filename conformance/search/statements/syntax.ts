import { tableColumns, type ViewName } from '../../../schemas/index.ts'
import type { JoinSpelling } from '../../samples/join.ts'

/** A generated statement of a documented form. */
export interface Query {
  items: readonly Item[]
  from: Source
  join?: Join
  /** The rows of `from` that changed after this. */
  after?: Bound
  limit?: number
}

export interface Source {
  view: ViewName
  /** Written only in a join. */
  alias: string
}

/** A LEFT JOIN. */
export interface Join {
  /** Between a view and its alias. Default: a space */
  as?: JoinSpelling['as']
  source: Source
  on: { left: string; right: string }
  /** Whether the column of the right view comes first in ON. */
  rightFirst?: boolean
}

/** A join of two views without its columns. */
export interface Pair {
  from: Source
  join: Join
}

/** `*` means all columns of the view. */
export type Item = '*' | ColumnUse

export interface ColumnUse {
  /** Alias of its source. */
  of: string
  name: string
  isJson: boolean
}

export type Bound = DateBound | NewestRow

/** A date in the notation of the target, with no row near its midnight in any time zone. */
export interface DateBound {
  /** `YYYY-MM-DD`, in whatever form `sql` writes it. */
  date: string
  /** The literal as SQL. */
  sql: string
}

/** `(SELECT MAX(last_updated_at) FROM view)` */
export interface NewestRow {
  newestOf: ViewName
}

/** The required columns of a view. */
export const columnsOf = ({ view, alias }: Source): ColumnUse[] =>
  tableColumns(view).map(({ name, postgres }) => ({ of: alias, name, isJson: postgres === 'jsonb' }))

/** The names of the returned columns, in order. */
export const columnNames = ({ items, from }: Query): string[] =>
  items.flatMap((item) => (item === '*' ? columnsOf(from).map(({ name }) => name) : [item.name]))
