import type { ViewName } from '../../../schemas/generated/types.ts'

/**
 * A column as an SQL expression over the table behind its view, whose alias is `base`.
 *
 * @param own what the column is without this change
 * @param of what another column of the same row is
 */
export type Expression = (own: string, of: (column: string) => string) => string

/** What a variant does to one view. */
export interface ViewChange {
  /** Columns that are something else; null leaves one out, a name that the view has not comes behind the others. */
  readonly columns?: Readonly<Record<string, Expression | null>>
  /** The rows that stay, as a condition over `base`. */
  readonly where?: string
}

/** What a variant does to the views. */
export type Change = Readonly<Partial<Record<ViewName, ViewChange>>>

/** The changes of one knob by slug; the default changes nothing and is not among them. */
export type Changes = Readonly<Record<string, Change>>

/** A change of a single column. */
export const column = (view: ViewName, name: string, expression: Expression): Change => ({
  [view]: { columns: { [name]: expression } },
})
