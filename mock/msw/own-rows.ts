import { type Dataset, datasetOf, type Tables } from '../../fixtures/dataset.ts'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { prepareRows } from '../rows/prepare-rows.ts'
import { RowError, throwProblems } from '../rows/row-problems.ts'
import { keyOf, type RowQuery, type StoredRow } from '../rows/row-query.ts'
import { withStatistics } from '../rows/series-statistics.ts'
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
    return datasetOf((await withStatistics(rows, given, nothingStored, stamp)) as Partial<Tables>)
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
