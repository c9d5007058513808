import { contract } from '../schemas/contract.ts'
import type { TimeseriesWithBioprocess } from '../schemas/generated/types.ts'
import type { Ask } from './ask.ts'
import { completeRows, keysOf, type Row, UnreadableRows } from './rows.ts'
import { columnsOf, limitText } from './statements.ts'

export interface JoinOptions {
  /** Most rows. Which of them come is not documented. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

const { left, right, on, aliases } = contract.join
const [leftKey, rightKey] = on
const [t, b] = aliases

const leftColumns = columnsOf(left)
const rightColumns = columnsOf(right)
const shared = leftColumns.filter(({ name }) => rightColumns.some((column) => column.name === name))
/** A row of the join has every column of both views; those of the right one may be null. */
const joinedColumns = [
  ...leftColumns.filter((column) => !shared.includes(column)),
  ...rightColumns.map((column) => ({ ...column, nullable: true })),
]

/** The join of rule 3: "all columns of aliased v_timeseries and v_bioprocesses joined on bioprocess_id = id". */
export function readJoined(ask: Ask, { limit, signal }: JoinOptions): Promise<TimeseriesWithBioprocess[]> {
  const statement =
    `SELECT * FROM ${left} ${t} LEFT JOIN ${right} ${b} ON ${t}.${leftKey} = ${b}.${rightKey}` +
    limitText(limit)
  return ask.rows(statement, signal, undefined, (rows) =>
    completeRows(rows.map(lastNameWins), joinedColumns),
  ) as Promise<unknown> as Promise<TimeseriesWithBioprocess[]>
}

/**
 * A row as if the last of two columns with one name had won. What becomes of them is not documented (NS-13): where
 * both are there the last is taken, where the last one is lost nobody can give it back.
 *
 * @throws UnreadableRows where the first one won
 */
function lastNameWins(served: Row): Row {
  const row = { ...served }
  // never null in the right view, and in no other: null or left out, there is no partner
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
      `Of two columns with one name the service does not keep the last: ${keysOf(served)}. ` +
        `Read ${left} and ${right} by themselves and join them by ${leftKey}.`,
    )
  return row
}
