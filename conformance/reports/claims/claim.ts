import { createHash } from 'node:crypto'
import {
  requirement,
  requirementSet as current,
  requirementSets,
  type ConformanceClaim,
  type ConformanceReport,
} from '../../../schemas/index.ts'
import { problemIn } from '../../../schemas/problem.ts'
import { parseJson } from '../../../base/text/explain-json.ts'
import { UsageError } from '../../connection/usage-error.ts'
import { jsonReport } from '../json.ts'
import { observedLimitOf, withOutcome } from '../summary.ts'

/**
 * The public summary of a report. It names the service as the caller does, because an address may be confidential.
 * @example writeFileSync('claims/acme.json', JSON.stringify(claimOf(report, 'Acme historian')))
 * @param target public name of the service
 */
export function claimOf(report: ConformanceReport, target: string): ConformanceClaim {
  const { startedAt, verdict, contract, requirementSet, suite, options, counts, checks } = report
  const observedLimit = observedLimitOf(report)
  return {
    target,
    date: startedAt.slice(0, 10),
    verdict,
    contract: contract.version,
    requirementSet: requirementSet ?? { version: contract.version },
    suite,
    reportHash: `sha256:${createHash('sha256').update(jsonReport(report)).digest('hex')}`,
    timeLimitMs: options.timeLimitMs,
    ...(observedLimit !== undefined && { observedLimitMs: observedLimit }),
    passed: counts.pass,
    failed: withOutcome(report, 'fail', 'error').map(({ id }) => id),
    waived: Object.fromEntries(
      checks.flatMap(({ id, outcome, waiver }) => (outcome === 'waived' ? [[id, waiver?.reason ?? '']] : [])),
    ),
    notExercised: Object.fromEntries([
      ...leftOut(report).map((id) => [id, 'the check was not selected']),
      ...withOutcome(report, 'not-exercised', 'inconclusive').map(({ id, message }) => [id, message]),
    ]),
  }
}

/** The checks of the frozen set that a run left out, by options such as `--only` and `--skip`, and that could have failed. */
function leftOut({ checks, requirementSet }: ConformanceReport): string[] {
  const { checks: all } =
    Object.values(requirementSets).find(({ hash }) => hash === requirementSet?.hash) ?? current
  const run = new Set(checks.map(({ id }) => id))
  return Object.entries(all)
    .filter(([id, of]) => !run.has(id) && requirement(of).level !== 'observe')
    .map(([id]) => id)
}

/**
 * Reads a claim.
 * @example const claim = parseClaim(readFileSync('claims/acme.json', 'utf8'), 'claims/acme.json')
 * @param source names the file in errors
 * @throws UsageError if the text is no claim
 */
export function parseClaim(text: string, source: string): ConformanceClaim {
  const wrong = (detail: string) =>
    new UsageError(`${source} is not a claim: ${detail}. Write one with conformance --claim ${source}.`)
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw wrong((error as Error).message)
  }
  const problem = problemIn('claim', value)
  if (problem !== undefined) throw wrong(problem)
  return value as ConformanceClaim
}
