import type { ViewName, ViewRows } from './generated/types.ts'
import { validators } from './generated/validators.ts'
import type { ValidationError } from './validator.ts'
import { views } from './views.ts'

/** The part of https://standardschema.dev (version 1) that validators of this package implement. */
export interface StandardSchema<Row> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'bioprocess-sql-contract'
    /** Returns the unchanged row, or what is wrong with it. Never a promise. */
    readonly validate: (
      value: unknown,
    ) => { readonly value: Row; readonly issues?: undefined } | { readonly issues: readonly Issue[] }
    /** For the inference of types; absent at run time. */
    readonly types?: { readonly input: Row; readonly output: Row }
  }
}

/** One departure of a row from its schema. */
export interface Issue {
  readonly message: string
  /** Keys and indices from the row to the value. */
  readonly path: readonly (string | number)[]
}

const validate = (view: ViewName) => (value: unknown) => {
  const issues = rowIssues(view, value)
  return issues.length === 0 ? { value } : { issues }
}

/**
 * The schema of a row of each view for any library that takes a Standard Schema. Further columns are permitted.
 *
 * @example
 * const result = rowSchemas.v_bioprocesses['~standard'].validate(row)
 * if (result.issues) console.error(result.issues)
 * else console.log(result.value.name)
 */
export const rowSchemas = Object.fromEntries(
  views.map(({ name }) => [
    name,
    { '~standard': { version: 1, vendor: 'bioprocess-sql-contract', validate: validate(name) } },
  ]),
) as unknown as { readonly [V in ViewName]: StandardSchema<ViewRows[V]> }

/**
 * What is wrong with a row of a view.
 *
 * @param columns the columns it should have; default: all
 */
export function rowIssues(view: ViewName, row: unknown, columns?: readonly string[]): Issue[] {
  const validator = validators[`views/${view}`]
  if (validator(row)) return []
  return (validator.errors ?? []).filter((error) => !isLeftOut(error, columns)).map(issueOf)
}

const isLeftOut = (
  { keyword, instancePath, params }: ValidationError,
  columns?: readonly string[],
): boolean =>
  columns !== undefined &&
  keyword === 'required' &&
  instancePath === '' &&
  !columns.includes(params['missingProperty'] as string)

const issueOf = ({ instancePath, message, keyword }: ValidationError): Issue => ({
  message: message ?? `violates ${keyword}`,
  path: instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
})
