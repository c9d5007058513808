import type { Reply } from '../connection/http/reply.ts'
import { rowsOf } from '../connection/rows.ts'
import type { Target } from '../connection/target.ts'

/** The views of the statements, in order. */
const VIEWS = ['v_quantities', 'v_formulas'] as const

/** The reply to two statements in one body. */
export const severalStatements = (t: Target): Promise<Reply> =>
  t.shared(VIEWS.map((name) => `SELECT id FROM ${name} LIMIT 1`).join('; '))

/** How the target handles two statements in one body (sql.multi). */
export interface Several {
  readonly reply: Reply
  /** Number of returned rows. */
  readonly rows: number
  /** The executed statements; undefined if the rows do not show it. */
  readonly executed?: 'first' | 'last' | 'both'
}

/** Each statement reads another view, so the returned ids show which were executed. */
export async function executedOfSeveral(t: Target): Promise<Several> {
  const reply = await severalStatements(t)
  if (!reply.ok) return { reply, rows: 0 }
  const [first, last] = await Promise.all(
    VIEWS.map(async (name) => new Set((await t.sample(name)).rows.map(({ id }) => id))),
  )
  const ids = (rowsOf(reply, ['id'], true)?.rows ?? []).map(({ id }) => id)
  const of = (view: typeof first) => ids.some((id) => view!.has(id))
  const [isFirst, isLast] = [of(first), of(last)]
  if (!isFirst && !isLast) return { reply, rows: ids.length }
  return { reply, rows: ids.length, executed: isFirst && isLast ? 'both' : isFirst ? 'first' : 'last' }
}
