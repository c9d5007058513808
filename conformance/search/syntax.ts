import type { ViewName } from '../../schemas/index.ts'
import type { JoinSpelling } from '../connection/samples/join.ts'

/** The subset of SQL for generated statements. */
export interface Query {
  distinct?: boolean
  items: readonly Item[]
  from: Source
  join?: Join
  where?: Condition
  groupBy?: readonly Expression[]
  /** `HAVING COUNT(*) > having`. */
  having?: number
  orderBy?: readonly Term[]
  limit?: number
  offset?: number
}

export interface Source {
  view: ViewName
  /** Written only in a join. */
  alias: string
}

export interface Join {
  /** Between a view and its alias. Default: a space */
  as?: JoinSpelling['as']
  kind: 'LEFT JOIN' | 'JOIN'
  source: Source
  on: { left: string; right: string }
  /** Whether the column of the right view comes first in ON. */
  rightFirst?: boolean
}

/** A LEFT JOIN of two views without its columns. */
export interface Pair {
  from: Source
  join: Join
}

/** `*` means all columns of the view. A column keeps its name; other expressions get a name. */
export type Item = '*' | { expression: Expression; name: string }

export interface Term {
  expression: Expression
  direction: 'ASC' | 'DESC'
  nulls?: 'FIRST' | 'LAST'
}

export type ColumnKind = 'text' | 'instant' | 'number' | 'boolean' | 'json'

export interface ColumnUse {
  is: 'column'
  /** Alias of its source. */
  of: string
  name: string
  kind: ColumnKind
}

export interface Literal {
  is: 'literal'
  /** The literal as SQL. */
  sql: string
  /** Whether it is a date in the notation of the target, with no row near its midnight in any time zone. */
  date?: boolean
}

export type Expression =
  | ColumnUse
  | Literal
  /** `(SELECT MAX(column) FROM view)` */
  | { is: 'extreme'; function: 'MAX' | 'MIN'; column: string; view: ViewName }
  /** Without arguments it means `COUNT(*)`. */
  | { is: 'call'; function: string; arguments: readonly Expression[] }
  /** A member of a JSON object, as text. */
  | { is: 'member'; of: Expression; key: string }

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

export type Condition =
  | { is: 'compare'; operator: Comparison; left: Expression; right: Expression }
  | { is: 'null'; of: Expression; not: boolean }
  | { is: 'in'; of: Expression; list: readonly Expression[]; not: boolean }
  | { is: 'between'; of: Expression; low: Expression; high: Expression }
  | { is: 'like'; of: Expression; pattern: string; not: boolean }
  /** `of IN (SELECT column FROM view)` */
  | { is: 'among'; of: Expression; column: string; view: ViewName; not: boolean }
  | { is: 'and' | 'or'; parts: readonly [Condition, Condition] }
  | { is: 'not'; part: Condition }

/** Whether the query has groups, so that columns outside GROUP BY have no value. */
export const isGrouped = ({ groupBy, items }: Query): boolean =>
  groupBy !== undefined || items.some((item) => item !== '*' && isAggregate(item.expression))

const AGGREGATES = ['COUNT', 'MIN', 'MAX', 'SUM', 'AVG']

export const isAggregate = (expression: Expression): boolean =>
  expression.is === 'call' && AGGREGATES.includes(expression.function)
