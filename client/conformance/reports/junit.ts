import { areasOf, type Case, junitXml } from '../../../conformance/reports/ci/junit-xml.ts'
import { plain } from '../../../conformance/reports/plain.ts'
import { counts } from '../habits/outcome.ts'
import type { HabitReport, HabitResult } from '../habits/types.ts'
import { brokenOf, detailsOf, factsOf } from './summary.ts'

/**
 * JUnit XML: a test suite for each area (`rows`), a test case for each habit, and one for the client-side requirements, which
 * also fails if the run is incomplete, as the exit code says.
 */
export function junitReport(unsafe: HabitReport): string {
  const report = plain(unsafe)
  return junitXml('habits of services', report, [
    { name: 'client', cases: [requirementsCase(report)], properties: [['verdict', report.verdict]] },
    ...areasOf(report.results.map(caseOf)),
  ])
}

/** A waived habit and one that a client need not cope with are skipped, not failed. */
function caseOf(result: HabitResult): Case {
  const { id, outcome, standing, title, reason, failure, durationMs } = result
  const isSkipped = outcome === 'waived' || outcome === 'not run' || outcome === 'stopped'
  return {
    kind: counts(result) ? 'failure' : isSkipped ? 'skipped' : 'passed',
    classname: `habits.${standing}`,
    name: id,
    durationMs,
    message: `${outcome}: ${reason ?? failure?.message ?? title}`,
    text: [`${outcome}: ${title}`, ...detailsOf(result).map(([name, text]) => `${name}: ${text}`)].join('\n'),
  }
}

function requirementsCase(report: HabitReport): Case {
  const broken = brokenOf(report)
  const isFailure = report.verdict === 'incomplete' || broken.some(({ outcome }) => outcome === 'fail')
  return {
    kind: isFailure ? 'failure' : 'passed',
    classname: 'client',
    name: 'requirements',
    durationMs: report.plain.durationMs,
    message: `${report.verdict}: ${factsOf(report)}`,
    text: report.plain.findings
      .map(({ requirement, outcome, sentence }) => `${outcome} ${requirement}: ${sentence}`)
      .join('\n'),
  }
}
