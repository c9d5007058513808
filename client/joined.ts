import { contract } from '../schemas/contract.ts'
import type { TimeseriesWithBioprocess } from '../schemas/generated/types.ts'
import type { Ask } from './ask.ts'
import { completeRows, keysOf, type Row, UnreadableRows } from './rows.ts'
import { columnsOf, limitText } from './statements.ts'

export interface JoinOptions {
  /** The most rows. The contract does not document which rows are returned. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

const { left, right, on, aliases } = contract.join
const [leftKey, rightKey] = on
const [t, b] = aliases

const leftColumns = columnsOf(left)
const rightColumns = columnsOf(right)
const shared = leftColumns.filter(({ name }) => rightColumns.some((column) => column.name === name))
/** The columns of both views; those of the right view may be null. */
const joinedColumns = [
  ...leftColumns.filter((column) => !shared.includes(column)),
  ...rightColumns.map((column) => ({ ...column, nullable: true })),
]

/** Reads the documented join of v_timeseries and v_bioprocesses. */
export function readJoined(ask: Ask, { limit, signal }: JoinOptions): Promise<TimeseriesWithBioprocess[]> {
  const statement =
    `SELECT * FROM ${left} ${t} LEFT JOIN ${right} ${b} ON ${t}.${leftKey} = ${b}.${rightKey}` +
    limitText(limit)
  return ask.rows(statement, signal, undefined, (rows) =>
    completeRows(rows.map(lastNameWins), joinedColumns),
  ) as Promise<unknown> as Promise<TimeseriesWithBioprocess[]>
}

/**
 * A row with the last of two columns of one name. The contract leaves open how a service sends such columns
 * (rows.duplicates).
 *
 * @throws UnreadableRows if the service sent only the first of them
 */
function lastNameWins(served: Row): Row {
  const row = { ...served }
  // only the right view has a name, and it is never null: without it, there is no partner
  const isMatched = typeof row['name'] === 'string'
  for (const { name } of shared) {
    const [first, last, numbered] = [`${t}_${name}`, `${b}_${name}`, `${name}_1`]
    if (!isMatched) row[name] = null
    else if (Object.hasOwn(row, last)) row[name] = row[last]
    else if (Object.hasOwn(row, numbered)) row[name] = row[numbered]
    else if (Array.isArray(row[name])) row[name] = row[name].at(-1)
    for (const other of [first, last, numbered]) delete row[other]
  }
  if (isMatched && row[rightKey] !== row[leftKey])
    throw new UnreadableRows(
      `Of two columns with one name, the service does not keep the last: ${keysOf(served)}. ` +
        `Read ${left} and ${right} separately and join them on ${leftKey}.`,
    )
  return row
}
