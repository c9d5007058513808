import type { ViewName } from './generated/types.ts'

/** A column of a view, as its schema describes it. */
export interface ColumnDefinition {
  readonly name: string
  /** The JSON types of a value, null left out. */
  readonly types: readonly ('string' | 'number' | 'boolean' | 'object' | 'array')[]
  readonly nullable: boolean
  /** Null is allowed only in rows where this other column is null. */
  readonly nullOnlyWithout?: string
  /** The JSON type of every item, where the column is an array of one type. */
  readonly items?: 'string' | 'number' | 'boolean' | 'object' | 'array'
  /** True where the contract does not list the column and a service may leave it out. */
  readonly optional: boolean
  /** Present on timestamps. */
  readonly format?: 'iso8601' | 'iso8601-zoned'
  /** The PostgreSQL type that stores the column. */
  readonly postgres: 'text' | 'timestamptz' | 'float8' | 'boolean' | 'jsonb'
  readonly description: string
}

/** A view of the service. */
export interface ViewDefinition {
  readonly name: ViewName
  /** The name without `v_`: the table behind the view. */
  readonly table: string
  /** The name of the row type. */
  readonly title: string
  readonly description: string
  /** In the order of the contract. */
  readonly columns: readonly ColumnDefinition[]
}
