import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import { clauseTable } from './clause-table.ts'
import { painter, SYMBOLS, VERDICT_STYLE, type Paint } from './paint.ts'

interface Stream {
  isTTY?: boolean
  columns?: number
}

/** The report for a person at a terminal: verdict, clause table, what went wrong and how to see it again, verdict. */
export function terminalReport(report: ConformanceReport, stream: Stream = {}): string {
  const paint = painter(stream)
  const width = Math.max(100, Math.min(stream.columns ?? 160, 200))
  const of = (...outcomes: CheckResult['outcome'][]) =>
    report.checks.filter(({ outcome }) => outcomes.includes(outcome))
  const verdict = verdictLine(report, paint)
  const blocks = [
    verdict,
    report.checks.length > 0 ? clauseTable(report.checks, paint, width) : '',
    ...of('fail', 'error').map((result) => finding(result, paint)),
    ...of('warn').map((result) => finding(result, paint)),
    brief(
      'otherwise than the reference, where the contract is silent',
      of('observed').filter(({ id }) => id.startsWith('seeded.')),
      paint,
    ),
    brief('inconclusive', of('inconclusive'), paint),
    brief('not exercised', of('not-exercised'), paint),
    brief(
      'notes',
      report.checks.flatMap((result) => (result.notes ?? []).map((message) => ({ ...result, message }))),
      paint,
    ),
    report.verdict === 'conformant' ? '' : why(report, paint),
    verdict,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function verdictLine(report: ConformanceReport, paint: Paint): string {
  const { pass, fail, warn, notExercised, inconclusive, error } = report.counts
  const counts = [
    `${pass} passed`,
    `${fail} failed`,
    ...(warn > 0 ? [`${warn} warned`] : []),
    ...(notExercised > 0 ? [`${notExercised} not exercised`] : []),
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
    ...(error > 0 ? [`${error} broke`] : []),
  ]
  const facts = `contract ${report.contract.version} · ${counts.join(', ')} · ${report.statements} requests · ${(report.durationMs / 1000).toFixed(1)} s`
  return `${paint(['bold', VERDICT_STYLE[report.verdict] as 'green'], report.verdict)}  ${report.target.baseUrl}\n${paint('gray', facts)}`
}

/** Everything a vendor needs to dispute or to mend one red line. */
function finding(result: CheckResult, paint: Paint): string {
  const { mark, style } = SYMBOLS[result.outcome]
  const lines: [string, string | undefined][] = [
    ['title', result.title],
    ['contract', result.clause],
    ['found', result.message],
    ['expected', result.expected],
    ['actual', result.actual],
    ['again', result.curl],
  ]
  return [
    `${paint(style, `${mark} ${result.outcome}`)}  ${paint('bold', result.requirement)}  ${result.id}`,
    ...lines.flatMap(([name, text]) =>
      text === undefined ? [] : [`  ${paint('gray', name.padEnd(8))}  ${text}`],
    ),
  ].join('\n')
}

function brief(heading: string, results: { id: string; message: string }[], paint: Paint): string {
  if (results.length === 0) return ''
  return [paint('bold', heading), ...results.map(({ id, message }) => `  ${id}: ${message}`)].join('\n')
}

function why({ verdict, reasons }: ConformanceReport, paint: Paint): string {
  const shown = reasons.slice(0, 20)
  const more = reasons.length - shown.length
  return [
    paint('bold', `why ${verdict}`),
    ...shown.map((reason) => `  ${reason.split('\n')[0]}`),
    ...(more > 0 ? [`  … and ${more} more, all in the JSON report (--report json=FILE)`] : []),
  ].join('\n')
}
