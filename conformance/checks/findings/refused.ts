import { inconclusive, notExercised, wrongReply, type Finding } from '../check.ts'
import { describeReply, jsonProblem, type Reply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { deniesToken } from '../../connection/http/token-refusals.ts'

/**
 * Fails if a required statement was refused; undefined if it was accepted.
 *
 * @param kind subject of the message, such as "A LEFT JOIN between views"
 * @param controls simpler statements over the same views and columns. If one of them is refused too, the refusal has
 *   another cause, and the check is not exercised.
 */
export async function refusal(
  t: Target,
  kind: string,
  reply: Reply,
  controls: readonly string[],
): Promise<Finding | undefined> {
  if (reply.ok) return undefined
  const exchanges = [reply.exchange]
  // A gateway that refuses the token says nothing about the statement either.
  const deniesAccess = deniesToken(reply.status) || (reply.status === 403 && !reply.envelope)
  if (deniesAccess) return inconclusive(`${kind} got ${describeReply(reply)}`, { exchanges })
  for (const sql of controls) {
    const control = await t.shared(sql)
    if (!control.ok)
      return notExercised(`the simpler statement \`${sql}\` got ${describeReply(control)}`, {
        exchanges: [control.exchange],
      })
  }
  const problem = jsonProblem(reply)
  const what = problem === undefined ? 'is refused' : `got a body that is not JSON: ${problem}`
  return wrongReply(reply, `${kind} ${what}`, 'state "success", with or without rows')
}
