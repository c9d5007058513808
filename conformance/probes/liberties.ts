import { LONG_AGO } from '../connection/date-literal.ts'
import type { Reply } from '../connection/reply.ts'
import { NotExercised, type Target } from '../connection/target.ts'

/** What a client may or may not take the liberty to send; the contract shows none of it. */
export type Liberty = 'capitals' | 'filter' | 'clauses' | 'semicolon' | 'extra-key'

const every: readonly Liberty[] = ['capitals', 'filter', 'clauses', 'semicolon', 'extra-key']

/** A short read with some liberties; without any of them it is one that the contract shows. */
function bodyWith(...liberties: readonly Liberty[]): string {
  const taken = (liberty: Liberty) => liberties.includes(liberty)
  const id = taken('capitals') ? 'RECORD_ID' : 'record_id'
  const statement = [
    `SELECT ${id}${taken('clauses') ? ', COUNT(*) AS n' : ''} FROM v_archived_records`,
    ...(taken('filter') ? [`WHERE archived_at > '${LONG_AGO}'`] : []),
    ...(taken('clauses') ? [`GROUP BY ${id} ORDER BY n`] : []),
    `LIMIT 1${taken('semicolon') ? ';' : ''}`,
  ].join(' ')
  return JSON.stringify({ statement, ...(taken('extra-key') ? { extra: 1 } : {}) })
}

/**
 * Whether a liberty is granted. All of them are taken in one request first: where it is served, nothing else
 * has to be asked; where it is not, each is asked for by itself.
 *
 * @throws NotExercised when the statement without any of them is refused
 */
export async function granted(t: Target, liberty: Liberty): Promise<{ served: boolean; reply: Reply }> {
  const together = await t.once('all liberties', () => t.send(bodyWith(...every)))
  if (together.ok) return { served: true, reply: together }
  if (!(await t.exists('v_archived_records')))
    throw new NotExercised('v_archived_records can not be read', together.exchange)
  const alone = await t.once(`liberty ${liberty}`, () => t.send(bodyWith(liberty)))
  return { served: alone.ok, reply: alone }
}
