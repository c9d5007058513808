import { typeNames } from './function-decisions.ts'
import { allowedFunctionNames } from './generated/allowed-functions.ts'

/**
 * The functions that a statement may call; a statement that calls any other does not reach the database. The rights in
 * the snapshot follow from the same list, so a function that is not on it is refused twice. The list is generated from
 * pg_proc by rules and decisions; generated/functions.tsv gives the reason for every name.
 */
export const allowedFunctions: ReadonlySet<string> = new Set([...allowedFunctionNames, ...typeNames])
