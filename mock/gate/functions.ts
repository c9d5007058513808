import { typeNames } from './function-decisions.ts'
import { allowedFunctionNames } from './generated/allowed-functions.ts'

/**
 * Everything a statement may call by name; anything else does not reach the database. The snapshot's grants
 * follow from the same list, so a function added here works and a function removed is closed twice.
 * The list is generated from pg_proc by rules and decisions; generated/functions.tsv says why for every name.
 */
export const allowedFunctions: ReadonlySet<string> = new Set([...allowedFunctionNames, ...typeNames])
