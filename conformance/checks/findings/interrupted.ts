import { Stopped } from '../../connection/http/limits.ts'
import type { Interruption } from '../../search/interruption.ts'
import { inconclusive, notExercised, type Finding } from '../check.ts'

/**
 * The finding for statements that were compared up to an interruption, without a difference.
 *
 * @param done says what was compared
 * @param left number of statements that were not compared
 */
export function interrupted({ sql, error }: Interruption, done: string, left: number): Finding {
  const message = `${done}; ${left} not compared, because`
  return error instanceof Stopped
    ? notExercised(`${message} the run ended early: ${error.message}`)
    : inconclusive(`${message} \`${sql}\` got no answer: ${error.message}`, { exchanges: [error.exchange] })
}
