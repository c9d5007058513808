import { contract, type ViewName } from '../../schemas/index.ts'
import { POINT_VIEW } from '../../schemas/views.ts'
import { answersOf } from './answers.ts'
import { LONG_AGO } from '../connection/values/date-literal.ts'
import { NotExercised } from '../connection/not-exercised.ts'
import { joinOfAll } from '../samples/join.ts'
import type { Target } from '../connection/target.ts'
import { TransportError } from '../connection/http/transport-error.ts'

/** Maximum rows of the read and of the delta. */
const MANY_ROWS = 1000
const DELTA_ROWS = 100

/**
 * Sends a statement so that its answer can be judged. Ignores a statement without an answer, because the check of that
 * statement reports it.
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
 * Reads rows of a view, and a delta of it, with all columns. The checks of all answers judge both. Sends each statement once
 * in a run, and none if the run has already read all rows of the view that way.
 */
export async function askForAllColumns(t: Target, name: ViewName): Promise<void> {
  const served = answersOf(t).flatMap(({ reply, sql }) => (reply.ok && sql ? [{ reply, sql }] : []))
  const all = `SELECT * FROM ${name}`
  // Points have a long read of their own.
  if (name !== POINT_VIEW && !served.some(({ sql }) => sql === all))
    await askIfPossible(() => t.shared(`${all} LIMIT ${t.rows(MANY_ROWS)}`))
  const { column, views } = contract.delta
  // an empty delta shows no value
  const hasDelta = served.some(({ reply, sql }) => sql.startsWith(`${all} WHERE`) && reply.data.length > 0)
  if (hasDelta || !(views as readonly ViewName[]).includes(name)) return
  await askIfPossible(async () => {
    const spelling = await t.dateSpelling()
    await t.everythingSince(name, spelling)
    await t.shared(`${all} WHERE ${column} > ${spelling.write(LONG_AGO)} LIMIT ${t.rows(DELTA_ROWS)}`)
  })
}

/** Sends statements of the documented forms, unless other checks already have. */
export async function askDocumentedForms(t: Target): Promise<void> {
  await askIfPossible(() => joinOfAll(t))
  for (const name of contract.views) {
    await askIfPossible(() => t.sample(name))
    await askForAllColumns(t, name)
  }
  // one column whose values repeat: a service may not return each value once
  const { on, left } = contract.join
  await askIfPossible(() => t.shared(`SELECT ${on[0]} FROM ${left} LIMIT ${t.rows(MANY_ROWS)}`))
}
