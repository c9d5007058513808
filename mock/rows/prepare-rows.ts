import { completeRow } from '../../fixtures/factories/complete-row.ts'
import { sqlLiteral } from '../../base/text/sql-literal.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { view as definitionOf } from '../../schemas/views.ts'
import { columnProblem, listProblem, rowProblem, throwProblems, valueProblem } from './row-problems.ts'
import { literals, type RowQuery, relations, type StoredRow } from './row-query.ts'

/** Rows by the name of their view. */
export type RowsByView = Readonly<Partial<Record<ViewName, readonly object[]>>>

/** Most rows of one change. */
const mostAtOnce = 50_000

/**
 * Makes whole, valid rows of rows as a test gives them: references by other values than the id are resolved, columns without
 * a value get defaults, and each row has to match the schema of its view and refer to rows that exist.
 *
 * @param stamp the time of the change, for `last_updated_at`
 * @param isDataset whether the rows are all there are: of any number, and with ids that lead nowhere, as a recording may have
 * @throws RowError that lists what is wrong
 */
export async function prepareRows(
  given: unknown,
  query: RowQuery,
  stamp: string,
  isDataset = false,
): Promise<RowsByView> {
  const problems: string[] = []
  const whole = mapRows(checkedViews(given, isDataset ? Infinity : mostAtOnce), (row, view, index) => {
    try {
      return isWhole(view, row) ? row : completeRow(view, row, stamp)
    } catch (error) {
      problems.push(`${view}[${index}]: ${(error as Error).message}`)
      return row
    }
  })
  throwProblems(problems)
  const { resolved, known } = await resolve(whole, query)
  const complete = await withUnits(resolved, query)
  const { validators } = await import('../../schemas/generated/validators.ts')
  for (const [view, list] of Object.entries(complete) as [ViewName, readonly object[]][]) {
    const isRow = validators[`views/${view}`]
    problems.push(...list.flatMap((row, index) => rowProblem(isRow, view, index, row) ?? []))
  }
  throwProblems(problems)
  if (!isDataset) await checkReferences(complete, known, query)
  return complete
}

/** Most rows of a recording are. */
const isWhole = (view: ViewName, row: StoredRow): boolean =>
  definitionOf(view).columns.every(({ name }) => name in row)

const mapRows = (
  rows: RowsByView,
  change: (row: StoredRow, view: ViewName, index: number) => object,
): RowsByView =>
  Object.fromEntries(
    Object.entries(rows).map(([view, list]) => [
      view,
      list.map((row, index) => change(row as StoredRow, view as ViewName, index)),
    ]),
  )

/** @throws RowError */
export function checkedViews(given: unknown, mostRows = mostAtOnce): RowsByView {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throwProblems([
      'The rows are not an object. Give arrays of rows by view, such as {"v_quantities": [{"id": "q-1"}]}.',
    ])
  const problems: string[] = []
  let count = 0
  for (const [name, rows] of Object.entries(given as object)) {
    const problem = listProblem(name, rows)
    if (problem === undefined) {
      count += rows.length
      problems.push(
        ...rows.flatMap((row: unknown, index: number) => problemsOf(name as ViewName, row, index)),
      )
    } else problems.push(problem)
  }
  if (count > mostRows) problems.push(`There are ${count} rows. Give at most ${mostRows} at a time.`)
  throwProblems(problems)
  return given as RowsByView
}

function problemsOf(view: ViewName, row: unknown, index: number): string[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return [`${view}[${index}] is not an object.`]
  return [columnProblem(view, index, row) ?? valueProblem(view, index, row) ?? []].flat()
}

/** A row that exists, as a key. */
const rowKey = (view: ViewName, id: unknown) => `${view} ${JSON.stringify(id)}`

/**
 * Replaces references such as `{"name": "OD600"}` by the id of the row that has these values.
 *
 * @returns the rows, and the keys of those found
 */
async function resolve(
  rows: RowsByView,
  query: RowQuery,
): Promise<{ readonly resolved: RowsByView; readonly known: ReadonlySet<string> }> {
  const found = new Map<string, unknown>()
  const known = new Set<string>()
  const problems: string[] = []
  for (const { from, column, to } of relations) {
    // rows of the change take the place of those with the same id
    const own = (rows[to] ?? []) as StoredRow[]
    const ownIds = new Set(own.map(({ id }) => id))
    for (const row of (rows[from] ?? []) as StoredRow[]) {
      const reference = row[column]
      if (typeof reference !== 'object' || reference === null) continue
      const key = rowKey(to, reference)
      if (found.has(key)) continue
      const wanted = Object.entries(reference).map(([name, value]) => [name, String(value)] as const)
      const columns = definitionOf(to).columns.map(({ name }) => name)
      const ids = new Set<unknown>()
      if (wanted.length > 0 && wanted.every(([name]) => columns.includes(name))) {
        const conditions = wanted.map(([name, value]) => `${name} = ${sqlLiteral(value)}`).join(' AND ')
        const stored = await query(`SELECT id FROM ${to} WHERE ${conditions} LIMIT ${ownIds.size + 2}`)
        for (const { id } of stored) if (!ownIds.has(id)) ids.add(id)
        for (const mine of own)
          if (wanted.every(([name, value]) => String(mine[name]) === value)) ids.add(mine['id'])
      }
      const [id] = ids
      if (ids.size === 1) {
        found.set(key, id)
        known.add(rowKey(to, id))
      } else
        problems.push(
          `${from}.${column} refers to ${JSON.stringify(reference)}, and ${ids.size === 0 ? 'no row' : 'more than one row'} of ${to} has these values. Name one row.`,
        )
    }
  }
  throwProblems([...new Set(problems)])
  if (found.size === 0) return { resolved: rows, known }
  const resolved = mapRows(rows, (row, view) => {
    const changed = relations.flatMap(({ from, column, to }) => {
      const id = from === view ? found.get(rowKey(to, row[column])) : undefined
      return id === undefined ? [] : [[column, id] as const]
    })
    return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) }
  })
  return { resolved, known }
}

const hasUnit = (view: ViewName) => view === 'v_timeseries' || view === 'v_bioprocess_quantity_data'

/** Series and values without a unit have the default unit of their quantity. */
async function withUnits(rows: RowsByView, query: RowQuery): Promise<RowsByView> {
  const lacking = [...(rows.v_timeseries ?? []), ...(rows.v_bioprocess_quantity_data ?? [])] as StoredRow[]
  const ids = new Set(lacking.filter(({ unit }) => unit === undefined).map((row) => row['quantity_id']))
  if (ids.size === 0) return rows
  const stored = await query(`SELECT id, default_unit FROM v_quantities WHERE id IN (${literals(ids)})`)
  const units = new Map(
    [...stored, ...((rows.v_quantities ?? []) as StoredRow[])].map((row) => [row['id'], row['default_unit']]),
  )
  return mapRows(rows, (row, view) =>
    hasUnit(view) ? { unit: units.get(row['quantity_id']) ?? '', ...row } : row,
  )
}

/**
 * @param known the keys of rows that exist
 * @throws RowError for references to rows that do not exist
 */
async function checkReferences(rows: RowsByView, known: ReadonlySet<string>, query: RowQuery): Promise<void> {
  const problems: string[] = []
  for (const { from, column, to } of relations) {
    const own = new Set((rows[to] as StoredRow[] | undefined)?.map(({ id }) => id))
    const asked = new Set<unknown>()
    for (const row of (rows[from] ?? []) as StoredRow[])
      if (row[column] !== null && !own.has(row[column]) && !known.has(rowKey(to, row[column])))
        asked.add(row[column])
    if (asked.size === 0) continue
    const stored = await query(`SELECT id FROM ${to} WHERE id IN (${literals(asked)})`)
    for (const { id } of stored) asked.delete(id)
    for (const id of asked)
      problems.push(
        `${from}.${column} refers to ${JSON.stringify(id)}, which is not in ${to}. Put that row too.`,
      )
  }
  throwProblems(problems)
}
