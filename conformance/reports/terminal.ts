import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import { requirementTable } from './requirement-table.ts'
import { painter, VERDICT_STYLE, type Paint } from './paint.ts'
import { SYMBOLS } from './symbols.ts'
import { plain } from './plain.ts'
import {
  detailsOf,
  factsOf,
  judgedOf,
  notesOf,
  QUALITY,
  qualityOf,
  requirementOf,
  waivedOf,
  withOutcome,
} from './summary.ts'

interface Stream {
  isTTY?: boolean
  columns?: number
}

/**
 * The report for a terminal: verdict, table of requirements, failures and how to reproduce them, verdict. The first and the last line
 * name the target.
 */
export function terminalReport(unsafe: ConformanceReport, stream: Stream = {}): string {
  const report = plain(unsafe)
  const paint = painter(stream)
  const width = Math.max(100, Math.min(stream.columns ?? 160, 200))
  const verdict = verdictLine(report, paint)
  const facts = paint('gray', factsOf(report))
  const blocks = [
    `${verdict}\n${facts}`,
    report.checks.length > 0 ? requirementTable(report.checks, paint, width) : '',
    ...withOutcome(report, 'fail', 'error').map((result) => finding(result, paint)),
    ...withOutcome(report, 'warn').map((result) => finding(result, paint)),
    brief(
      'differs from the reference (not required by the contract)',
      withOutcome(report, 'observed').filter(({ id }) => id.startsWith('seeded.')),
      paint,
    ),
    brief('waived', waivedOf(report), paint),
    brief('inconclusive', withOutcome(report, 'inconclusive'), paint),
    brief('not exercised', withOutcome(report, 'not-exercised'), paint),
    brief('notes', notesOf(report), paint),
    quality(report, paint),
    openPoints(report),
    report.verdict === 'conformant' ? '' : why(report, paint),
    `${facts}\n${verdict}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function verdictLine(report: ConformanceReport, paint: Paint): string {
  const verdict = paint(['bold', VERDICT_STYLE[report.verdict] as 'green'], report.verdict)
  return `${verdict}  ${judgedOf(report)}`
}

/** Everything a vendor needs to reproduce one failure. */
function finding(result: CheckResult, paint: Paint): string {
  const { mark, style } = SYMBOLS[result.outcome]
  const lines = [
    ['title', result.title],
    ['requirement', requirementOf(result)],
    ['contract', result.clause],
    ...detailsOf(result),
  ] as const
  return [
    `${paint(style, `${mark} ${result.outcome}`)}  ${paint('bold', result.requirement)}  ${result.id}`,
    ...lines.map(([name, text]) => `  ${paint('gray', name.padEnd(11))}  ${text}`),
  ].join('\n')
}

function brief(heading: string, results: { id: string; message: string }[], paint: Paint): string {
  if (results.length === 0) return ''
  return [paint('bold', heading), ...results.map(({ id, message }) => `  ${id}: ${message}`)].join('\n')
}

function quality(report: ConformanceReport, paint: Paint): string {
  const { broken, rest } = qualityOf(report) ?? {}
  if (!broken) return ''
  const lines = broken.map(({ id, message }) => `  ${id}: ${message}`)
  return [paint('bold', QUALITY.toLowerCase()), ...lines, `  ${rest}`].join('\n')
}

/** The number of observed open points. Only the other formats list them, because no reader has to act on them. */
function openPoints({ observations, notObserved = {} }: ConformanceReport): string {
  const seen = Object.values(observations)
  if (seen.length === 0) return ''
  const all = seen.length + Object.keys(notObserved).length
  const known = seen.filter(({ variant }) => variant !== undefined).length
  return `${seen.length} of ${all} open points of the contract observed, ${known} with a known variant (listed in the other report formats)`
}

function why({ verdict, reasons }: ConformanceReport, paint: Paint): string {
  if (reasons.length === 0) return ''
  const shown = reasons.slice(0, 20)
  const more = reasons.length - shown.length
  return [
    paint('bold', `why ${verdict}`),
    ...shown.map((reason) => `  ${reason.split('\n')[0]}`),
    ...(more > 0 ? [`  … and ${more} more; the JSON report lists all (--report json=FILE)`] : []),
  ].join('\n')
}
