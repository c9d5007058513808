import { contract } from '../schemas/contract.ts'
import type { ViewName } from '../schemas/generated/types.ts'
import { view as definitionOf, type ColumnDefinition } from '../schemas/views.ts'
import { ClientError } from './errors.ts'

/** The parts of a SELECT of the documented kinds (Endpoints, rule 2). */
export interface Selection {
  readonly view: ViewName
  /** Default: all, `*`. */
  readonly columns?: readonly string[] | undefined
  /** What follows WHERE. */
  readonly where?: string | undefined
  readonly orderBy?: string | undefined
  readonly limit?: number | undefined
}

/** The text of a selection. @throws ClientError for columns and limits that are none */
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

/** The columns of a view that a selection reads: those named, or all. */
export function columnsOf(view: ViewName, names?: readonly string[]): readonly ColumnDefinition[] {
  if (!contract.views.includes(view))
    throw new ClientError(`There is no view "${String(view)}". The views are ${contract.views.join(', ')}.`)
  const { columns } = definitionOf(view)
  if (names === undefined) return columns
  if (names.length === 0)
    throw new ClientError('columns is empty. Name one at least, or leave it out for all.')
  return names.map((name) => {
    const column = columns.find((column) => column.name === name)
    if (column) return column
    throw new ClientError(
      `${view} has no column "${name}". It has ${columns.map(({ name }) => name).join(', ')}.`,
    )
  })
}

/** The scalar subquery of rule 2: the newest change in a view. */
export function newestOf(view: ViewName): string {
  columnsOf(view, ['last_updated_at'])
  return `(SELECT MAX(last_updated_at) FROM ${view})`
}

/** @throws ClientError for a limit that is no whole number */
export function limitText(limit: number | undefined): string {
  if (limit === undefined) return ''
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new ClientError(`limit is ${limit}. Give a whole number, or leave it out for all rows.`)
  return ` LIMIT ${limit}`
}
