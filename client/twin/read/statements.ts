import { quote } from '../../index.ts'
import { contract, type ColumnDefinition, type ViewName } from '../../../schemas/index.ts'

/** The clauses after FROM. */
export interface Part {
  readonly where?: string
  readonly orderBy?: string
  readonly limit: number
}

/** SELECT of named columns: so rows may be arrays, and additions of the service stay out. */
export function select(
  view: ViewName,
  columns: readonly ColumnDefinition[],
  { where, orderBy, limit }: Part,
): string {
  const list = columns.map(({ name }) => name).join(', ')
  return [
    `SELECT ${list} FROM ${view}`,
    where === undefined ? '' : ` WHERE ${where}`,
    orderBy === undefined ? '' : ` ORDER BY ${orderBy}`,
    ` LIMIT ${limit}`,
  ].join('')
}

/** The columns that identify a row, and whether the contract says that they do. */
export const keyOf = (view: ViewName): { columns: readonly string[]; isUnique: boolean } => ({
  columns: contract.keys[view],
  isUnique: contract.uniqueIds.includes(view),
})

/** `id > 'x'` or `(id, timestamp) > ('x', 'y')`: no documented statement has it. */
export function after(columns: readonly string[], values: readonly string[], operator: '>' | '>='): string {
  const literals = values.map(quote)
  if (columns.length === 1) return `${columns[0]} ${operator} ${literals[0]}`
  return `(${columns.join(', ')}) ${operator} (${literals.join(', ')})`
}
