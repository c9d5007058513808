import { datasetOf, type Dataset, type Tables } from '../../fixtures/dataset.ts'
import { views, type ValidationError } from '../../schemas/index.ts'
import { validators } from '../../schemas/generated/validators.ts'
import { MockError, type OwnRows } from './options.ts'

/** So many faults are told; more would hide the first ones. */
const told = 20

/**
 * A dataset of the rows a developer wrote.
 *
 * @throws MockError with a sentence for each row that departs from the schema of its view
 */
export function ownDataset(data: OwnRows): Dataset {
  const faults = Object.entries(data).flatMap(([view, rows]) => viewFaults(view, rows))
  if (faults.length === 0) return datasetOf(data as Partial<Tables>)
  const more = faults.length > told ? [`There are ${faults.length - told} more.`] : []
  throw new MockError(
    ['The rows given as `data` do not match their schemas.', ...faults.slice(0, told), ...more].join('\n'),
  )
}

function viewFaults(view: string, rows: unknown): string[] {
  const known = views.find(({ name }) => name === view)
  if (!known) return [`There is no view ${view}. The views are: ${views.map(({ name }) => name).join(', ')}.`]
  if (!Array.isArray(rows)) return [`${view} is no array. Give its rows as an array of objects.`]
  const isRow = validators[`views/${known.name}`]
  return rows.flatMap((row: unknown, index) =>
    isRow(row) ? [] : `${view}[${index}] ${(isRow.errors ?? []).map(explain).join(', ')}.`,
  )
}

function explain({ instancePath, message, params }: ValidationError): string {
  const allowed = params['allowedValues']
  const values = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : ''
  const where = instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')} `
  return `${where}${message}${values}`
}
