import { checkOptions, type OptionTypes } from '../base/check-options.ts'
import { contract } from '../schemas/contract.ts'
import type { TimeseriesWithBioprocess } from '../schemas/generated/types.ts'
import type { Adaptation } from './rows/adaptation.ts'
import type { Ask } from './rows/ask.ts'
import { ClientUsageError } from './errors.ts'
import type { ReadView } from './rows/read-view.ts'
import { completeRows, keysOf, type Row, UnreadableRows, withDocumentedNames } from './rows/rows.ts'
import { columnsOf, limitText } from './statements.ts'

export interface JoinOptions {
  /** The most rows. The contract does not document which rows are returned. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

const types: OptionTypes<JoinOptions> = { limit: 'number', signal: 'AbortSignal' }

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

interface Reading {
  readonly ask: Ask
  readonly readView: ReadView
  readonly adaptation: Adaptation
}

/** Reads the documented join of v_timeseries and v_bioprocesses, or both views if the profile requires it. */
export async function readJoined(
  { ask, readView, adaptation }: Reading,
  options: JoinOptions,
): Promise<TimeseriesWithBioprocess[]> {
  checkOptions(options, types, ClientUsageError)
  const { limit, signal } = options
  const statement =
    `SELECT * FROM ${left} ${t} LEFT JOIN ${right} ${b} ON ${t}.${leftKey} = ${b}.${rightKey}` +
    limitText(limit)
  const rows = adaptation.joinsItself
    ? joinedHere(readView, limit, signal)
    : ask.rows(statement, signal, undefined, (rows) =>
        completeRows(withDocumentedNames(rows, joinedColumns).map(lastNameWins), joinedColumns),
      )
  return rows as Promise<unknown> as Promise<TimeseriesWithBioprocess[]>
}

/** The same rows from two statements: every row of the left view with its partner. */
async function joinedHere(
  readView: ReadView,
  limit: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const lefts = await readView({ view: left, limit }, signal)
  const rights = await readView({ view: right }, signal)
  const byKey = new Map(rights.map((row) => [row[rightKey], row]))
  const noPartner = Object.fromEntries(rightColumns.map(({ name }) => [name, null]))
  return lefts.map((row) => ({ ...row, ...(byKey.get(row[leftKey]) ?? noPartner) }))
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
        `Give createClient a profile of the service, with which it reads ${left} and ${right} separately.`,
    )
  return row
}
