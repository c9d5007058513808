import { type Dataset, datasetOf, type Tables } from '../../fixtures/dataset.ts'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { prepareRows, type RowsByView } from '../app/rows/prepare-rows.ts'
import { RowError, throwProblems } from '../app/rows/row-problems.ts'
import { keyOf, type RowQuery, type StoredRow } from '../app/rows/row-query.ts'
import { withSeries } from '../app/rows/series-statistics.ts'
import { jsonText } from '../control/json-text.ts'
import { ControlError } from '../control/session.ts'
import { MockError, type OwnRows } from './options.ts'

/** The rows stand alone. */
const nothingStored: RowQuery = async () => []

/** The time of rows that have none: one that does not move, because equal rows share their image. */
const stamp = defaultPlant.asOf

/**
 * A dataset of the rows a developer wrote, completed as those of `rows.put`.
 *
 * @throws MockError with a sentence for each row that departs from the schema of its view
 */
export async function ownDataset(data: OwnRows): Promise<Dataset> {
  try {
    // as they arrive where `rows.put` sends them
    const given = JSON.parse(jsonText(data)) as OwnRows
    const rows = await prepareRows(given, nothingStored, stamp, true)
    throwProblems(Object.entries(rows).flatMap(([view, list]) => repeated(view as ViewName, list)))
    return datasetOf((await withStatistics(rows, given)) as Partial<Tables>)
  } catch (error) {
    if (!(error instanceof RowError || error instanceof ControlError)) throw error
    const problems = error instanceof RowError ? error.problems : [error.message]
    throw new MockError(['The rows given as `data` do not match their schemas.', ...problems].join('\n'))
  }
}

function repeated(view: ViewName, rows: readonly object[]): string[] {
  const key = keyOf(view)
  const seen = new Set<string>()
  return rows.flatMap((row, index) => {
    const id = key(row as StoredRow)
    if (seen.has(id)) return `${view}[${index}] has the key of a row before it. Leave one of them out.`
    seen.add(id)
    return []
  })
}

/** Series that were given without statistics get those of their points. */
async function withStatistics(rows: RowsByView, { v_timeseries: given = [] }: OwnRows): Promise<RowsByView> {
  const series = (rows.v_timeseries ?? []) as readonly StoredRow[]
  const lacking = series.filter((_, index) => given[index]!.statistics === undefined)
  if (lacking.length === 0) return rows
  const changes = [
    { view: 'v_timeseries', put: lacking, remove: [] },
    { view: 'v_timeseries_data', put: rows.v_timeseries_data ?? [], remove: [] },
  ] as const
  const { put } = (await withSeries(changes, nothingStored, stamp)).at(-1)!
  const byId = new Map((put as readonly StoredRow[]).map((row) => [row['id'], row]))
  const whole = (row: StoredRow) => ({
    ...row,
    ...byId.get(row['id']),
    last_updated_at: row['last_updated_at'],
  })
  return { ...rows, v_timeseries: series.map(whole) }
}
