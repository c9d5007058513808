import { checkOptions, type OptionTypes } from '../base/check-options.ts'
import { contract } from '../schemas/contract.ts'
import type { ViewName, ViewRows } from '../schemas/generated/types.ts'
import { ClientUsageError } from './errors.ts'
import { instantOf } from './rows/instant.ts'
import { dateLiteral, type DateLiteral, timestampText } from './literals.ts'
import { isNewer } from './rows/newer.ts'
import type { ReadView } from './rows/read-view.ts'
import type { Row } from './rows/rows.ts'
import { columnsOf, newestOf } from './statements.ts'
import { type RowsOf, withDates } from './rows/timestamps.ts'

/** A view with last_updated_at: all but v_archived_records. */
export type UpdatedView = {
  [V in ViewName]: 'last_updated_at' extends keyof ViewRows[V] ? V : never
}[ViewName]

/** The name of a column of a view. */
export type ColumnOf<V extends ViewName> = keyof ViewRows[V] & string

export interface SelectOptions<V extends ViewName, C extends ColumnOf<V>, D extends boolean = boolean> {
  /** Columns to read; they narrow the type of the rows. Default: all, including additions of the service. */
  readonly columns?: readonly C[]
  /**
   * Only rows changed after this: a timestamp in ISO 8601 (without a zone, the service chooses one) or the newest change of
   * another view.
   */
  readonly updatedAfter?: V extends UpdatedView ? string | Date | { readonly newestOf: UpdatedView } : never
  /** The most rows. The contract does not document which rows are returned. */
  readonly limit?: number
  /** Returns timestamps as `Date`, without digits beyond milliseconds. Default: false, as the service prints them. */
  readonly dates?: D
  readonly signal?: AbortSignal
}

/** One view of the service. */
export interface View<V extends ViewName> {
  /**
   * Reads rows with a documented statement. A column without a value is null, even if the service omits it.
   * @example const changed = await client.views.v_bioprocesses.select({ columns: ['id', 'name'], updatedAfter: '2026-01-01' })
   * @throws ClientUsageError before sending anything; StatementError if the statement fails
   */
  select<const C extends ColumnOf<V> = ColumnOf<V>, const D extends boolean = false>(
    options?: SelectOptions<V, C, D>,
  ): Promise<RowsOf<V, C, D>>
}

/** The nine views by name. */
export type Views = { readonly [V in ViewName]: View<V> }

export function createViews(read: ReadView, spelling: DateLiteral): Views {
  return Object.fromEntries(
    contract.views.map((view) => [
      view,
      { select: (options = {}) => selectFrom(read, spelling, view, options) },
    ]),
  ) as unknown as Views
}

interface AnyOptions {
  readonly columns?: readonly string[]
  readonly updatedAfter?: string | Date | { readonly newestOf: UpdatedView }
  readonly limit?: number
  readonly dates?: boolean
  readonly signal?: AbortSignal
}

const types: OptionTypes<SelectOptions<UpdatedView, never>> = {
  columns: 'array',
  updatedAfter: 'string | Date | object',
  limit: 'number',
  dates: 'boolean',
  signal: 'AbortSignal',
}

async function selectFrom(
  read: ReadView,
  spelling: DateLiteral,
  view: ViewName,
  options: AnyOptions,
): Promise<Row[]> {
  checkOptions(options, types, ClientUsageError)
  const { columns, updatedAfter, limit, dates, signal } = options
  const definitions = columnsOf(view, columns)
  if (updatedAfter !== undefined) columnsOf(view, ['last_updated_at'])
  const { where, isWanted } = conditionOf(updatedAfter, spelling)
  return read({ view, columns, where, limit }, signal, (rows) => {
    const wanted = isWanted ? rows.filter(isWanted) : rows
    return dates ? withDates(wanted, definitions) : wanted
  })
}

/** The condition of a statement, and the rows that a coarser date literal does not exclude. */
function conditionOf(
  updatedAfter: AnyOptions['updatedAfter'],
  spelling: DateLiteral,
): { where?: string; isWanted?: (row: Row) => boolean } {
  if (updatedAfter === undefined) return {}
  if (typeof updatedAfter === 'object' && 'newestOf' in updatedAfter)
    return { where: `last_updated_at > ${newestOf(updatedAfter.newestOf)}` }
  const after = timestampText(updatedAfter)
  const where = `last_updated_at > ${dateLiteral(after, spelling)}`
  if (spelling === 'as-given') return { where }
  return { where, isWanted: (row) => isNewer(row, 'last_updated_at', instantOf(after)!) }
}
