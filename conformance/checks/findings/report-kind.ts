import { Stopped } from '../../connection/http/limits.ts'
import { compared, fail, inconclusive, notExercised, type Finding } from '../check.ts'
import type { DocumentedKind } from '../../search/statements/classify.ts'
import type { FuzzFinding, FuzzResult } from '../../search/fuzz.ts'
import { render } from '../../search/statements/render.ts'
import type { Interruption, Unanswered } from '../../search/unanswered.ts'

/**
 * The finding for the statements of one kind. A difference counts for the kind of its smallest statement.
 *
 * @param of names the expected rows: completes "same rows as …"
 * @param flags the flags that repeat the statements; without, the statements of every run are meant
 */
export function reportKind(result: FuzzResult, kind: DocumentedKind, of: string, flags?: string): Finding {
  const { same, refused, unserved, left, unclear } = result.tally[kind]
  const findings = result.findings.filter((finding) => finding.kind === kind)
  if (findings.length > 0) return disagreement(findings, of, flags)
  const rest = [
    ...(refused > 0 ? [`${refused} more are refused`] : []),
    ...(unserved > 0 ? [`${unserved} more were not served: ${result.unserved}`] : []),
    ...(unclear > 0 ? [`${unclear} more are unclear, such as: ${result.unclear}`] : []),
  ]
  if (left > 0 && result.interruption) {
    const total = same + refused + unserved + unclear + left
    const done = [`${same} of ${total} statements: same rows as ${of}`, ...rest].join('; ')
    return interrupted(result.interruption, done, left)
  }
  const unanswered = result.unanswered.filter((form) => form.kind === kind)
  if (unanswered.length > 0)
    return inconclusive(unanswered.map(sentence).join('; '), {
      exchanges: unanswered.flatMap(({ exchanges }) => exchanges),
    })
  if (unserved > same)
    return inconclusive(
      `${unserved} of ${same + unserved + unclear} statements were not served: ${result.unserved}`,
    )
  if (same === 0 && unclear > 0)
    return inconclusive(`all ${unclear} statements are unclear: ${result.unclear}`)
  if (same === 0 && refused > 0) return notExercised(`all ${refused} statements are refused`)
  return compared(same, 'statement', [`same rows as ${of}`, ...rest].join('; '))
}

/**
 * The finding for statements that were compared up to an interruption, without a difference.
 *
 * @param done says what was compared
 * @param left number of statements that were not compared
 */
function interrupted({ sql, error }: Interruption, done: string, left: number): Finding {
  const message = `${done}; ${left} not compared, because`
  return error instanceof Stopped
    ? notExercised(`${message} the run ended early: ${error.message}`)
    : inconclusive(`${message} \`${sql}\` got no answer: ${error.message}`, { exchanges: [error.exchange] })
}

const sentence = ({ count, query, why }: Unanswered): string =>
  `${count === 1 ? 'the only statement' : `each of the ${count} statements`} like \`${render(query)}\` got ${why}`

/** Maximum number of findings in a message. `expected` and `actual` have all. */
const MOST_NAMED = 5

function disagreement(findings: readonly FuzzFinding[], of: string, flags: string | undefined): Finding {
  const count = findings.reduce((sum, finding) => sum + finding.count, 0)
  const differences = findings.map(({ query, difference }) => ({
    ...difference,
    statement: `\`${render(query)}\``,
  }))
  const named = differences.slice(0, MOST_NAMED).map(({ statement, message }) => `${statement} (${message})`)
  const more = differences.length - named.length
  const list = (side: 'expected' | 'actual') =>
    differences.length === 1
      ? differences[0]![side]
      : differences.map((one) => `${one.statement}: ${one[side]}`).join('\n')
  return fail({
    message:
      `${count} ${count === 1 ? 'statement differs' : 'statements differ'} from ${of}` +
      `${differences.length === 1 ? '' : ` (${differences.length} differences)`}; smallest: ${named.join(', ')}` +
      `${more > 0 ? ` and ${more} more` : ''}${flags ? `. Repeat with ${flags}` : ''}`,
    expected: list('expected'),
    actual: list('actual'),
    exchanges: findings.toReversed().flatMap(({ exchanges }) => exchanges),
  })
}
