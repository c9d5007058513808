import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import { clauseTable } from './clause-table.ts'
import { painter, SYMBOLS, VERDICT_STYLE, type Paint } from './paint.ts'
import { plain } from './plain.ts'
import {
  detailsOf,
  factsOf,
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

/** The report for a person at a terminal: verdict, clause table, what went wrong and how to see it again, verdict. */
export function terminalReport(unsafe: ConformanceReport, stream: Stream = {}): string {
  const report = plain(unsafe)
  const paint = painter(stream)
  const width = Math.max(100, Math.min(stream.columns ?? 160, 200))
  const verdict = verdictLine(report, paint)
  const blocks = [
    verdict,
    report.checks.length > 0 ? clauseTable(report.checks, paint, width) : '',
    ...withOutcome(report, 'fail', 'error').map((result) => finding(result, paint)),
    ...withOutcome(report, 'warn').map((result) => finding(result, paint)),
    brief(
      'otherwise than the reference, where the contract is silent',
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
    verdict,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function verdictLine(report: ConformanceReport, paint: Paint): string {
  const verdict = paint(['bold', VERDICT_STYLE[report.verdict] as 'green'], report.verdict)
  return `${verdict}  ${report.target.baseUrl}\n${paint('gray', factsOf(report))}`
}

/** Everything a vendor needs to dispute or to mend one red line. */
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

/** How many open points were observed. What was observed is in the reports in files: no reader has to act on it. */
function openPoints({ observations, notObserved = {} }: ConformanceReport): string {
  const seen = Object.values(observations)
  if (seen.length === 0) return ''
  const all = seen.length + Object.keys(notObserved).length
  const known = seen.filter(({ variant }) => variant !== undefined).length
  return `${seen.length} of ${all} open points of the contract observed, ${known} of them with a known variant; the reports in files list them`
}

function why({ verdict, reasons }: ConformanceReport, paint: Paint): string {
  if (reasons.length === 0) return ''
  const shown = reasons.slice(0, 20)
  const more = reasons.length - shown.length
  return [
    paint('bold', `why ${verdict}`),
    ...shown.map((reason) => `  ${reason.split('\n')[0]}`),
    ...(more > 0 ? [`  … and ${more} more, all in the JSON report (--report json=FILE)`] : []),
  ].join('\n')
}
