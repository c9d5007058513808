import { fail, inconclusive, notExercised, type Finding } from '../check.ts'
import { describeReply, type Reply } from '../../connection/reply.ts'
import type { Target } from '../../connection/target.ts'

/** Too many requests, too busy, too slow: these say nothing about the statement. */
const BUSY = [429, 503, 504]

/**
 * Why a statement that has to be accepted was refused; undefined if it was accepted.
 *
 * @param kind begins a sentence: "LEFT JOIN between views".
 * @param controls plainer statements over the same views and columns. If one of them is refused too, the refusal has
 *   another cause, and the finding is not exercised.
 */
export async function refusal(
  t: Target,
  kind: string,
  reply: Reply,
  controls: readonly string[],
): Promise<Finding | undefined> {
  if (reply.ok) return undefined
  const exchanges = [reply.exchange]
  if (BUSY.includes(reply.status))
    return inconclusive(`${kind} was answered ${describeReply(reply)}`, { exchanges })
  for (const sql of controls) {
    const control = await t.shared(sql)
    if (!control.ok)
      return notExercised(`\`${sql}\`, which asks less, was answered ${describeReply(control)}`, {
        exchanges: [control.exchange],
      })
  }
  return fail({
    message: `${kind} is refused`,
    expected: 'state "success", with or without rows',
    actual: describeReply(reply),
    exchanges,
  })
}
