import { contract } from '../schemas/contract.ts'
import type { ViewName } from '../schemas/generated/types.ts'
import { view as definitionOf, type ColumnDefinition } from '../schemas/views.ts'
import { ClientUsageError } from './errors.ts'

/** The clauses of a documented SELECT. */
export interface Selection {
  readonly view: ViewName
  /** Default: all, `*`. */
  readonly columns?: readonly string[] | undefined
  /** The condition after WHERE. */
  readonly where?: string | undefined
  readonly orderBy?: string | undefined
  readonly limit?: number | undefined
}

/** The SQL of a selection. @throws ClientUsageError for an invalid limit */
export function select({ view, columns, where, orderBy, limit }: Selection): string {
  return [
    `SELECT ${columns === undefined ? '*' : columns.join(', ')} FROM ${view}`,
    where && ` WHERE ${where}`,
    orderBy && ` ORDER BY ${orderBy}`,
    limitText(limit),
  ]
    .filter(Boolean)
    .join('')
}

/** The named columns of a view, or all. @throws ClientUsageError for unknown views and columns */
export function columnsOf(view: ViewName, names?: readonly string[]): readonly ColumnDefinition[] {
  if (!contract.views.includes(view))
    throw new ClientUsageError(
      `There is no view "${String(view)}". The views are ${contract.views.join(', ')}.`,
    )
  const { columns } = definitionOf(view)
  if (names === undefined) return columns
  if (names.length === 0)
    throw new ClientUsageError('columns is empty. Name at least one, or leave it out for all.')
  return names.map((name) => {
    const column = columns.find((column) => column.name === name)
    if (column) return column
    throw new ClientUsageError(
      `${view} has no column "${name}". It has ${columns.map(({ name }) => name).join(', ')}.`,
    )
  })
}

/** The documented scalar subquery for the newest change of a view. */
export function newestOf(view: ViewName): string {
  columnsOf(view, ['last_updated_at'])
  return `(SELECT MAX(last_updated_at) FROM ${view})`
}

/** @throws ClientUsageError for a limit that is not a whole number */
export function limitText(limit: number | undefined): string {
  if (limit === undefined) return ''
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new ClientUsageError(`limit is ${limit}. Give a whole number, or leave it out for all rows.`)
  return ` LIMIT ${limit}`
}
