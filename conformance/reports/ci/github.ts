import type { CheckResult, ConformanceReport } from '../../../schemas/index.ts'
import { plain } from '../plain.ts'
import { countsOf, detailsOf, judgedOf, requirementOf, withOutcome } from '../summary.ts'

/** Characters of an annotation, which shows only a few lines. The other reports have the whole text. */
const LONGEST = 4000

/**
 * Workflow commands of GitHub Actions: an annotation for the verdict, for each failure and each warning, and one
 * for all checks without a result; the first and the last one name the target. GitHub shows the first ten of each level, so the verdict
 * comes first.
 */
export function githubReport(unsafe: ConformanceReport): string {
  const report = plain(unsafe)
  const { verdict, reasons } = report
  const judged = judgedOf(report)
  const withoutResult = withOutcome(report, 'not-exercised', 'inconclusive')
  const level = verdict === 'conformant' ? 'notice' : /^(inc|conf)/.test(verdict) ? 'warning' : 'error'
  return [
    command(level, `${verdict}: ${judged}`, [countsOf(report), ...reasons].join('\n')),
    ...withOutcome(report, 'fail', 'error').map((result) => annotation('error', result)),
    ...withOutcome(report, 'warn', 'waived').map((result) => annotation('warning', result)),
    command(
      'notice',
      `judged: ${judged}`,
      [`${withoutResult.length} checks without a result`, ...withoutResult.map(lineOf)].join('\n'),
    ),
  ].join('')
}

const annotation = (level: 'error' | 'warning', result: CheckResult): string =>
  command(
    level,
    `${result.outcome} ${result.requirement} ${result.id}`,
    [
      result.title,
      `requirement: ${requirementOf(result)}`,
      `contract: ${result.clause}`,
      ...detailsOf(result).map(([name, text]) => `${name}: ${text}`),
    ].join('\n'),
  )

const lineOf = ({ id, outcome, message }: CheckResult): string => `${id}, ${outcome}: ${message}`

/** Always one line: a line break in a text would start another command. */
function command(level: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const shown = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message
  return `::${level} title=${escapeProperty(title)}::${escapeData(shown)}\n`
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
