import { contract, type ViewName } from '../../schemas/index.ts'
import { LONG_AGO } from '../connection/date-literal.ts'
import type { Target } from '../connection/target.ts'

/** Rows of the largest read of a view, and of a delta with all columns. */
const MANY_ROWS = 1000
const DELTA_ROWS = 100

/**
 * Reads many rows of a view with all columns, and some by a filter on last_updated_at, so that there are answers to judge.
 * A refusal is not judged here. Sends each statement once in a run.
 */
export async function askForAllColumns(t: Target, name: ViewName): Promise<void> {
  await t.shared(`SELECT * FROM ${name} LIMIT ${t.rows(MANY_ROWS)}`)
  const { column, views } = contract.delta
  if (!(views as readonly ViewName[]).includes(name)) return
  const spelling = await t.dateSpelling()
  await t.everythingSince(name, spelling)
  await t.shared(
    `SELECT * FROM ${name} WHERE ${column} > ${spelling.write(LONG_AGO)} LIMIT ${t.rows(DELTA_ROWS)}`,
  )
}
