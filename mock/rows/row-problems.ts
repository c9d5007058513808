import { storageProblem } from '../../fixtures/storable.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import type { ValidationError, Validator } from '../../schemas/validator.ts'
import { noView, views } from '../../schemas/views.ts'
import { jsonProblem } from '../control/json-problem.ts'

/** The types of the columns of each view. */
const columnTypes = new Map(
  views.map(({ name, columns }) => [
    name as string,
    new Map(columns.map((column) => [column.name, column.postgres])),
  ]),
)

/** Why something is not a list of rows of a view, with the remedy; undefined if it is. */
export function listProblem(name: string, rows: unknown): string | undefined {
  if (!views.some((one) => one.name === name)) return noView(name)
  return Array.isArray(rows) ? undefined : `${name} is not an array. Give its rows as an array of objects.`
}

/** Why something is not rows that a service can answer, with the remedy; undefined if it is. */
export function rowsProblem(rows: unknown): string | undefined {
  if (!(Array.isArray(rows) && rows.every((row) => typeof row === 'object' && row !== null)))
    return 'The rows are not an array of objects. Give them as "data" of an answer has them.'
  return rows.flatMap((row: object, index) => valueProblem('rows', index, row) ?? [])[0]
}

/** Why a value of a row cannot be stored; undefined if all can. */
export function valueProblem(view: string, index: number, row: object): string | undefined {
  const types = columnTypes.get(view)
  const problem = (column: string, value: unknown, place = '') =>
    jsonProblem(value, place) ?? storageProblem(place, value, types?.get(column))
  // a name for the place of each of a million values would take as long as the check
  for (const [column, value] of Object.entries(row))
    if (problem(column, value) !== undefined) return problem(column, value, `${view}[${index}].${column}`)
  return undefined
}

/** Why a row does not match the schema of its view, or cannot be stored; undefined if neither is so. */
export const rowProblem = (
  isRow: Validator,
  view: ViewName,
  index: number,
  row: unknown,
): string | undefined =>
  isRow(row)
    ? valueProblem(view, index, row as object)
    : `${view}[${index}] ${(isRow.errors ?? []).map(explain).join(', ')}.`

/** Why a row has columns that its view has not; undefined if it has none. */
export function columnProblem(view: ViewName, index: number, row: object): string | undefined {
  const columns = [...columnTypes.get(view)!.keys()]
  const unknown = Object.keys(row).filter((name) => !columns.includes(name))
  if (unknown.length === 0) return undefined
  return `${view}[${index}] has no column ${unknown.join(', ')}. The columns are: ${columns.join(', ')}.`
}

/** Why a row with some of its columns does not match the schema of its view; undefined if it does. */
export function partProblem(
  isRow: Validator,
  view: ViewName,
  index: number,
  row: object,
): string | undefined {
  const foreign = columnProblem(view, index, row)
  if (foreign !== undefined || isRow(row)) return foreign
  const wrong = (isRow.errors ?? []).filter(({ instancePath }) => instancePath !== '')
  return wrong.length === 0 ? undefined : `${view}[${index}] ${wrong.map(explain).join(', ')}.`
}

function explain({ instancePath, message, params }: ValidationError): string {
  const allowed = params['allowedValues']
  const values = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : ''
  const where = instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')} `
  return `${where}${message}${values}`
}

/** Most problems that a message lists; more would hide the first ones. */
const most = 20

/** The problems that a message lists, and how many there are besides. */
const listed = (problems: readonly string[]): string[] =>
  problems.length <= most
    ? [...problems]
    : [...problems.slice(0, most), `There are ${problems.length - most} more.`]

/** Rows that cannot be put, changed or removed. The message names each problem and its remedy; nothing has changed. */
export class RowError extends Error {
  override readonly name = 'RowError'
  readonly problems: readonly string[]
  constructor(...problems: readonly string[]) {
    super(problems.join(' '))
    this.problems = problems
  }
}

/** @throws RowError if there are problems */
export function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new RowError(...listed(problems))
}
