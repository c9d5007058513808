import { answersOf } from '../answers/answers.ts'
import { documentedIn } from '../answers/documented.ts'
import type { Finding } from '../checks/check.ts'
import { readReply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'
import { canonical } from '../connection/values/json.ts'

/** With fewer rows, answers to different statements are often equal. */
const LEAST_ROWS = 2

/**
 * The notes on a wrong reply: also one if its rows are those of a statement of the run over a view that its request does not name,
 * since a cache may have mixed them up.
 */
export function notesWithSameRows(
  t: Target,
  { outcome, notes, exchanges }: Pick<Finding, 'notes' | 'exchanges'> & { outcome: string },
): string[] | undefined {
  const exchange = ['fail', 'warn'].includes(outcome) ? exchanges?.at(-1) : undefined
  if (!exchange?.response) return notes
  const { ok, data } = readReply(exchange)
  if (!ok || data.length < LEAST_ROWS) return notes
  const rows = canonical(data)
  const other = answersOf(t).find(
    ({ reply }) =>
      reply.ok &&
      reply.data.length === data.length &&
      documentedIn(reply.exchange, 'any')?.views.some(
        (view) => !new RegExp(`\\b${view}\\b`, 'i').test(exchange.request.body),
      ) &&
      canonical(reply.data) === rows,
  )
  return other ? [...(notes ?? []), `Its rows are those of the reply to \`${other.sql}\`.`] : notes
}
