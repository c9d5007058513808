import { compared, fail, inconclusive, notExercised, type Finding } from '../checks/check.ts'
import type { DocumentedKind } from './classify.ts'
import type { FuzzFinding, FuzzResult } from './fuzz.ts'
import { render } from './render.ts'

/**
 * What a check says of the statements of one kind. A disagreement counts for the kind of the smallest statement
 * that shows it, so that a documented one fails for it however long the statement was that met it.
 *
 * @param again how to send the same statements again, as the end of a sentence
 */
export function reportKind(result: FuzzResult, kind: DocumentedKind | undefined, again: string): Finding {
  const { same, refused, unserved, unclear: untold } = result.tally[kind ?? 'undocumented']
  const unclear = untold + unserved
  const findings = result.findings.filter((finding) => finding.kind === kind)
  if (findings.length > 0) return disagreement(findings, again, kind ? 0 : result.unexplained)
  const rest = [
    ...(kind === undefined && refused > 0 ? [`${refused} more are refused`] : []),
    ...(unclear > 0 ? [`${unclear} more are unclear: ${result.unclear}`] : []),
  ]
  if (same === 0 && unclear > 0)
    return inconclusive(`of ${unclear} statements all are unclear: ${result.unclear}`)
  if (unserved > same)
    return inconclusive(`${unserved} of ${same + unclear} statements were not served: ${result.unclear}`)
  if (same === 0 && refused > 0) return notExercised(`all ${refused} statements are refused`)
  return compared(same, 'statement', ['answered as the reference does', ...rest].join('; '))
}

/** Findings that a message names; all of them are in what was expected and what came. */
const MOST_NAMED = 5

function disagreement(findings: readonly FuzzFinding[], again: string, unexplained: number): Finding {
  const count = findings.reduce((sum, finding) => sum + finding.count, unexplained)
  const ways = findings.map(({ query, difference }) => ({ ...difference, statement: `\`${render(query)}\`` }))
  const named = ways.slice(0, MOST_NAMED).map(({ statement, message }) => `${statement} (${message})`)
  const more = ways.length - named.length
  const list = (side: 'expected' | 'actual') =>
    ways.length === 1 ? ways[0]![side] : ways.map((way) => `${way.statement}: ${way[side]}`).join('\n')
  return fail({
    message:
      `${count} ${count === 1 ? 'statement is' : 'statements are'} answered otherwise than by the reference` +
      `${ways.length === 1 ? '' : `, in ${ways.length} ways`}; made as small as can be: ${named.join(', ')}` +
      `${more > 0 ? ` and ${more} more` : ''}. Repeat it with ${again}`,
    expected: list('expected'),
    actual: list('actual'),
    // The last one is the one that a curl repeats.
    exchanges: findings.map(({ exchange }) => exchange).toReversed(),
  })
}
