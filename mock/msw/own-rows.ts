import { datasetOf, type Dataset, type Tables } from '../../fixtures/dataset.ts'
import { validators } from '../../schemas/generated/validators.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { listed, listProblem, rowProblem } from '../app/rows/row-problems.ts'
import { keyOf, type StoredRow } from '../app/rows/row-query.ts'
import { MockError, type OwnRows } from './options.ts'

/**
 * A dataset of the rows a developer wrote.
 *
 * @throws MockError with a sentence for each row that departs from the schema of its view
 */
export function ownDataset(data: OwnRows): Dataset {
  const problems = Object.entries(data).flatMap(([view, rows]) => viewProblems(view, rows))
  if (problems.length === 0) return datasetOf(data as Partial<Tables>)
  throw new MockError(
    ['The rows given as `data` do not match their schemas.', ...listed(problems)].join('\n'),
  )
}

function viewProblems(view: string, rows: readonly unknown[]): string[] {
  const problem = listProblem(view, rows)
  if (problem !== undefined) return [problem]
  const isRow = validators[`views/${view as ViewName}`]
  const key = keyOf(view as ViewName)
  const seen = new Set<string>()
  return rows.flatMap((row, index) => {
    const problem = rowProblem(isRow, view as ViewName, index, row)
    if (problem !== undefined) return problem
    const id = key(row as StoredRow)
    if (seen.has(id)) return `${view}[${index}] has the key of a row before it. Leave one of them out.`
    seen.add(id)
    return []
  })
}
