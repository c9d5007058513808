import { compared, fail, inconclusive, notExercised, type Finding } from '../checks/check.ts'
import type { Exchange } from '../connection/exchange.ts'
import type { CorpusStatement } from './corpus/index.ts'
import { interruptionBy, type Interruption } from '../search/interruption.ts'
import { interrupted } from '../checks/findings/interrupted.ts'
import type { WithReference } from './reference.ts'

/** Compares the statements of one topic. They are undocumented SQL, so none can fail a target. */
export async function compareCorpus(
  both: WithReference,
  statements: readonly CorpusStatement[],
): Promise<Finding> {
  let [same, rows] = [0, 0]
  const refused: string[] = []
  const unclear: string[] = []
  const differing: {
    id: string
    message: string
    expected: string
    actual: string
    exchanges: Exchange[]
  }[] = []
  let left = statements.length
  let interruption: Interruption | undefined
  for (const { id, statement, ordered = false } of statements) {
    const result = await both
      .compare({ sql: statement, ordered, stored: false })
      .catch((error: unknown) => void (interruption = interruptionBy(error, statement)))
    if (!result) break
    left--
    if (result.is === 'same') [same, rows] = [same + 1, rows + result.rows]
    else if (result.is === 'refused') refused.push(id)
    else if (result.is === 'unclear' || result.is === 'unserved') unclear.push(`${id} (${result.why})`)
    else differing.push({ id, ...result.difference, exchanges: result.exchanges })
  }
  const rest = [
    ...(refused.length > 0 ? [`refused: ${refused.join(', ')}`] : []),
    ...(unclear.length > 0 ? [`unclear: ${unclear.join(', ')}`] : []),
  ]
  if (differing.length > 0)
    return fail({
      message: [
        `differs from the reference: ${differing.map(({ id, message }) => `${id} (${message})`).join(', ')}`,
        ...rest,
      ].join('; '),
      expected: differing.map(({ id, expected }) => `${id}: ${expected}`).join('\n'),
      actual: differing.map(({ id, actual }) => `${id}: ${actual}`).join('\n'),
      exchanges: differing.flatMap(({ exchanges }) => exchanges).toReversed(),
    })
  if (interruption) {
    const done = [`${same} of ${statements.length} statements: same rows as the reference`, ...rest].join(
      '; ',
    )
    return interrupted(interruption, done, left)
  }
  if (same === 0) return unclear.length > 0 ? inconclusive(rest.join('; ')) : notExercised(rest.join('; '))
  return compared(same, 'statement', [`same ${rows} rows as the reference`, ...rest].join('; '))
}
