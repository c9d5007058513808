import { LONG_AGO } from '../connection/values/date-literal.ts'
import type { Reply } from '../connection/http/reply.ts'
import { NotExercised, type Target } from '../connection/target.ts'

/** Something that a server may support; the contract shows none of it. */
export type OptionalFeature = 'capitals' | 'filter' | 'clauses' | 'semicolon' | 'extra-key'

const every: readonly OptionalFeature[] = ['capitals', 'filter', 'clauses', 'semicolon', 'extra-key']

/** A short read that uses some optional features; without any of them it is one that the contract shows. */
function bodyWith(...features: readonly OptionalFeature[]): string {
  const uses = (feature: OptionalFeature) => features.includes(feature)
  const id = uses('capitals') ? 'RECORD_ID' : 'record_id'
  const statement = [
    `SELECT ${id}${uses('clauses') ? ', COUNT(*) AS n' : ''} FROM v_archived_records`,
    ...(uses('filter') ? [`WHERE archived_at > '${LONG_AGO}'`] : []),
    ...(uses('clauses') ? [`GROUP BY ${id} ORDER BY n`] : []),
    `LIMIT 1${uses('semicolon') ? ';' : ''}`,
  ].join(' ')
  return JSON.stringify({ statement, ...(uses('extra-key') ? { extra: 1 } : {}) })
}

/**
 * The reply to a request that uses an optional feature. The first request uses all of them: where it is served, no
 * other is sent. Otherwise each feature has a request of its own.
 *
 * @throws NotExercised when the statement without any of them is refused
 */
export async function replyUsing(t: Target, feature: OptionalFeature): Promise<Reply> {
  const together = await t.once('all optional features', () => t.send(bodyWith(...every)))
  if (together.ok) return together
  if (!(await t.exists('v_archived_records')))
    throw new NotExercised('v_archived_records cannot be read', together.exchange)
  return t.once(`optional feature ${feature}`, () => t.send(bodyWith(feature)))
}
