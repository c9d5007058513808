import type { CheckResult, ConformanceReport } from '../../../schemas/index.ts'
import { areasOf, type Case, junitXml, type Suite } from './junit-xml.ts'
import { versionText } from '../version-text.ts'
import { plain } from '../plain.ts'
import { countsOf, detailsOf, judgedOf, optionsOf, requirementOf, waiverOf } from '../summary.ts'

/**
 * JUnit XML. Each area of the suite (`delta`) is a test suite, each check a test case. The test case `verdict`
 * at the end reports facts about the whole run: what was judged, that it was unreachable, or the run incomplete.
 *
 * @param allowIncomplete an incomplete run does not fail. Default: it does, as the exit code says
 */
export function junitReport(unsafe: ConformanceReport, allowIncomplete = false): string {
  const report = plain(unsafe)
  return junitXml(`${report.suite.name} ${judgedOf(report)}`, report, [
    ...areasOf(report.checks.map((result) => caseOf(report, result))),
    verdictSuite(report, allowIncomplete),
  ])
}

const KINDS: Record<CheckResult['outcome'], Case['kind']> = {
  pass: 'passed',
  warn: 'passed',
  observed: 'passed',
  fail: 'failure',
  error: 'error',
  'not-exercised': 'skipped',
  inconclusive: 'skipped',
  waived: 'skipped',
}

function caseOf({ contract }: ConformanceReport, result: CheckResult): Case {
  const { id, requirement, outcome, message, title, clause, level, notes = [], durationMs } = result
  return {
    kind: KINDS[outcome],
    classname: `${contract.version}.${requirement}`,
    name: id,
    durationMs,
    message: `${outcome}: ${outcome === 'waived' ? (waiverOf(result) ?? message) : message}`,
    text: [
      `${outcome}: ${title}`,
      `requirement: ${requirementOf(result)}`,
      `contract: ${clause}, ${level}`,
      ...detailsOf(result).map(([name, text]) => `${name}: ${text}`),
      ...notes.map((note) => `note: ${note}`),
    ].join('\n'),
  }
}

function verdictSuite(report: ConformanceReport, allowIncomplete: boolean): Suite {
  const { verdict, reasons } = report
  const broken = verdict === 'unreachable' || verdict === 'suite-error'
  const isAllowed = verdict === 'incomplete' && allowIncomplete
  const kind = broken ? 'error' : isAllowed ? 'skipped' : 'failure'
  const verdictCase: Case = {
    kind: verdict.startsWith('conformant') ? 'passed' : kind,
    classname: `${report.contract.version}.verdict`,
    name: 'verdict',
    durationMs: 0,
    message: `${verdict}: ${countsOf(report)}`,
    text: [`${verdict}: ${countsOf(report)}`, ...reasons, `judged: ${judgedOf(report)}`].join('\n'),
  }
  const properties: [string, string][] = [
    ['verdict', verdict],
    ['suite version', versionText(report.suite)],
    ['contract version', report.contract.version],
    ['requirement set', report.requirementSet?.version ?? '–'],
    ['base URL', report.target.baseUrl],
    ['requests', String(report.statements)],
    ...optionsOf(report),
  ]
  return { name: 'verdict', cases: [verdictCase], properties }
}
