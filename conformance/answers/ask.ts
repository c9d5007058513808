import { contract, type ViewName } from '../../schemas/index.ts'
import { LONG_AGO } from '../connection/date-literal.ts'
import { NotExercised } from '../connection/not-exercised.ts'
import type { Target } from '../connection/target.ts'
import { TransportError } from '../connection/transport-error.ts'

/** Rows of the largest read of a view, and of a delta with all columns. */
const MANY_ROWS = 1000
const DELTA_ROWS = 100

/**
 * Sends a statement whose answer every rule may judge. Without an answer there is nothing to judge: checks of the statement itself
 * say why.
 *
 * @throws Stopped when the run has ended
 */
export async function askIfPossible(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof TransportError || error instanceof NotExercised)) throw error
  }
}

/**
 * Reads many rows of a view with all columns, and some by a filter on last_updated_at, so that there are answers to judge.
 * Sends each statement once in a run.
 */
export async function askForAllColumns(t: Target, name: ViewName): Promise<void> {
  await askIfPossible(() => t.shared(`SELECT * FROM ${name} LIMIT ${t.rows(MANY_ROWS)}`))
  const { column, views } = contract.delta
  if (!(views as readonly ViewName[]).includes(name)) return
  await askIfPossible(async () => {
    const spelling = await t.dateSpelling()
    await t.everythingSince(name, spelling)
    await t.shared(
      `SELECT * FROM ${name} WHERE ${column} > ${spelling.write(LONG_AGO)} LIMIT ${t.rows(DELTA_ROWS)}`,
    )
  })
}
