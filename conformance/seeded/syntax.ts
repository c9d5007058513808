import type { ViewName } from '../../schemas/index.ts'

/** The part of SQL that statements are generated in, small enough to be taken apart again. */
export interface Query {
  distinct?: boolean
  items: readonly Item[]
  from: Source
  join?: Join
  where?: Condition
  groupBy?: readonly Expression[]
  /** Groups have more rows than this. */
  having?: number
  orderBy?: readonly Term[]
  limit?: number
  offset?: number
}

export interface Source {
  view: ViewName
  /** Written only where there is a join. */
  alias: string
}

export interface Join {
  kind: 'LEFT JOIN' | 'JOIN'
  source: Source
  on: { left: string; right: string }
}

/** `*` stands for all columns of the one view. A plain column keeps its name, everything else is given one. */
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
  /** As SQL. */
  sql: string
  /** A date as the contract means it, written as the target wants it: no row is near it in any zone. */
  date?: boolean
}

export type Expression =
  | ColumnUse
  | Literal
  /** `(SELECT MAX(column) FROM view)` */
  | { is: 'extreme'; function: 'MAX' | 'MIN'; column: string; view: ViewName }
  /** Without arguments: `COUNT(*)`. */
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

/** Whether rows are counted, so that columns outside GROUP BY have no value of their own. */
export const isGrouped = ({ groupBy, items }: Query): boolean =>
  groupBy !== undefined || items.some((item) => item !== '*' && isAggregate(item.expression))

const AGGREGATES = ['COUNT', 'MIN', 'MAX', 'SUM', 'AVG']

export const isAggregate = (expression: Expression): boolean =>
  expression.is === 'call' && AGGREGATES.includes(expression.function)
