import { contract } from '../schemas/contract.ts'
import type { ViewName, ViewRows } from '../schemas/generated/types.ts'
import type { Ask } from './ask.ts'
import { instantOf } from './instant.ts'
import { dateLiteral, type DateLiteral, timestampText } from './literals.ts'
import { isNewer } from './newer.ts'
import { completeRows, type Row } from './rows.ts'
import { columnsOf, newestOf, select } from './statements.ts'

/** A view with last_updated_at: all but v_archived_records. */
export type UpdatedView = Exclude<ViewName, 'v_archived_records'>

/** The name of a column of a view. */
export type ColumnOf<V extends ViewName> = keyof ViewRows[V] & string

export interface SelectOptions<V extends ViewName, C extends ColumnOf<V>> {
  /** Columns to read; they narrow the type of the rows. Default: all, including additions of the service. */
  readonly columns?: readonly C[]
  /**
   * Only rows changed after this: a timestamp in ISO 8601 (without a zone, the service chooses one) or the newest change of
   * another view.
   */
  readonly updatedAfter?: V extends UpdatedView ? string | Date | { readonly newestOf: UpdatedView } : never
  /** The most rows. The contract does not document which rows are returned. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** One view of the service. */
export interface View<V extends ViewName> {
  /**
   * Reads rows with a documented statement. A column without a value is null, even if the service omits it.
   *
   * @throws ClientUsageError before sending anything; StatementError if the statement fails
   */
  select<const C extends ColumnOf<V> = ColumnOf<V>>(
    options?: SelectOptions<V, C>,
  ): Promise<Pick<ViewRows[V], C>[]>
}

/** The nine views by name. */
export type Views = { readonly [V in ViewName]: View<V> }

export function createViews(ask: Ask, spelling: DateLiteral): Views {
  return Object.fromEntries(
    contract.views.map((view) => [
      view,
      { select: (options = {}) => selectFrom(ask, spelling, view, options) },
    ]),
  ) as unknown as Views
}

interface AnyOptions {
  readonly columns?: readonly string[]
  readonly updatedAfter?: string | Date | { readonly newestOf: UpdatedView }
  readonly limit?: number
  readonly signal?: AbortSignal
}

async function selectFrom(
  ask: Ask,
  spelling: DateLiteral,
  view: ViewName,
  options: AnyOptions,
): Promise<Row[]> {
  const { columns: names, updatedAfter, limit, signal } = options
  const columns = columnsOf(view, names)
  if (updatedAfter !== undefined) columnsOf(view, ['last_updated_at'])
  if (typeof updatedAfter === 'object' && updatedAfter !== null && 'newestOf' in updatedAfter) {
    const where = `last_updated_at > ${newestOf(updatedAfter.newestOf)}`
    return ask.rows(select({ view, columns: names, where, limit }), signal, names, (rows) =>
      completeRows(rows, columns),
    )
  }
  const after = updatedAfter === undefined ? undefined : timestampText(updatedAfter)
  const where = after === undefined ? undefined : `last_updated_at > ${dateLiteral(after, spelling)}`
  return ask.rows(select({ view, columns: names, where, limit }), signal, names, (rows) => {
    const complete = completeRows(rows, columns)
    if (after === undefined || spelling === 'as-given') return complete
    return complete.filter((row) => isNewer(row, 'last_updated_at', instantOf(after)!))
  })
}
