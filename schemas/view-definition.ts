import type { ViewName } from './generated/types.ts'

/** A column of a view. */
export interface ColumnDefinition {
  readonly name: string
  /** The JSON types of a value, without null. */
  readonly types: readonly ('string' | 'number' | 'boolean' | 'object' | 'array')[]
  readonly nullable: boolean
  /** The column that must also be null in a row with null here. */
  readonly nullOnlyWithout?: string
  /** The JSON type of the items, if the column is an array of one type. */
  readonly items?: 'string' | 'number' | 'boolean' | 'object' | 'array'
  /** True if the contract does not list the column and a service may omit it. */
  readonly optional: boolean
  /** The format of a timestamp. */
  readonly format?: 'iso8601' | 'iso8601-zoned'
  /** The PostgreSQL type that stores the column. */
  readonly postgres: 'text' | 'timestamptz' | 'float8' | 'numeric' | 'boolean' | 'jsonb'
  readonly description: string
  /** What the documented keys of an object mean. */
  readonly keys?: Readonly<Record<string, string>>
}

/** A view of the service. */
export interface ViewDefinition {
  readonly name: ViewName
  /** The table of the view: the name without `v_`. */
  readonly table: string
  /** The name of the row type. */
  readonly title: string
  readonly description: string
  /** In the order of the contract. */
  readonly columns: readonly ColumnDefinition[]
}
