import { requirement, type CheckResult, type ConformanceReport } from '../../schemas/index.ts'
import type { Check } from '../checks/check.ts'
import { checks } from '../checks/index.ts'
import { runConformance, type ConformanceOptions } from './conformance.ts'
import { selectChecks } from './select-checks.ts'

export interface DescribeOptions extends Omit<ConformanceOptions, 'baseUrl' | 'token'> {
  /** Base URL of the target. `before` may return it instead; one of them has to. */
  baseUrl?: string
  /** Bearer token; null for a target without authentication. `before` may return it instead; one of them has to. */
  token?: string | null
  /** Runs first, for example to start the target. Its result overrides the other options. */
  before?: () => Promise<Partial<ConformanceOptions>> | Partial<ConformanceOptions>
  /** Runs last, for example to stop the target. */
  after?: () => Promise<void> | void
  /** Whether the verdict `incomplete` passes. */
  allowIncomplete?: boolean
}

/** The functions of a test runner that {@link declareTests} needs. */
export interface TestRunner {
  describe(name: string, declare: () => void): unknown
  /** `run` calls `skip` with a reason, or throws if the test fails. */
  test(name: string, run: (skip: (reason: string) => void) => void): unknown
  before(run: () => Promise<void>, timeoutMs: number): unknown
  after(run: () => Promise<void> | void): unknown
}

/** Time for a test runner to wait beyond the longest run, in milliseconds. */
const SPARE_MS = 60_000

/**
 * Declares a test for each check, grouped by place in the contract, and one for the verdict. Checks without a result are
 * skipped with the reason.
 *
 * @throws UsageError when `only` and `skip` exclude every check
 */
export function declareTests(options: DescribeOptions, { describe, test, before, after }: TestRunner): void {
  const { allowIncomplete, after: end, ...suite } = options
  const { maxDurationMs = 30 * 60_000 } = suite
  const plan = planOf(options)
  describe('conformance', () => {
    let report: ConformanceReport
    before(async () => {
      report = await runOf(suite)
    }, maxDurationMs + SPARE_MS)
    after(() => end?.())
    for (const [place, checks] of plan)
      describe(place, () => {
        for (const { id, title } of checks)
          test(`${id}: ${title}`, (skip) => {
            const reason = skipReason(report, id)
            if (reason === undefined) expectPassed(report, id)
            else skip(reason)
          })
      })
    test('the verdict', () => expectVerdict(report, allowIncomplete))
  })
}

/** The selected checks by place in the contract. */
function planOf({ only = [], skip = [] }: DescribeOptions): [place: string, checks: Check[]][] {
  const byPlace = new Map<string, Check[]>()
  for (const check of selectChecks(checks, only, skip).selected) {
    const place = requirement(check.requirement).clause.section
    byPlace.set(place, [...(byPlace.get(place) ?? []), check])
  }
  return [...byPlace]
}

async function runOf({
  before,
  ...options
}: Omit<DescribeOptions, 'after' | 'allowIncomplete'>): Promise<ConformanceReport> {
  const { baseUrl = '', token, ...rest } = { ...options, ...(await before?.()) }
  // runConformance says what is missing
  return runConformance({ ...rest, baseUrl, token: token! })
}

/** Why the test of a check is skipped; undefined if it is not. */
function skipReason(report: ConformanceReport, id: string): string | undefined {
  const result = report.checks.find((result) => result.id === id)
  if (!result) return `not run: ${report.reasons.join(' ')}`
  const { outcome, message, waiver } = result
  if (outcome === 'waived') return `waived: ${waiver?.reason}`
  return outcome === 'not-exercised' || outcome === 'inconclusive' ? `${outcome}: ${message}` : undefined
}

/** @throws Error with the whole finding, if the check failed */
function expectPassed(report: ConformanceReport, id: string): void {
  const result = report.checks.find((result) => result.id === id)
  const strictly = report.options.strict && (result?.outcome === 'warn' || (result?.notes?.length ?? 0) > 0)
  if (result && (result.outcome === 'fail' || result.outcome === 'error' || strictly))
    throw new Error(explained(result))
}

/** @throws Error with the reasons, if the verdict is not a success */
function expectVerdict(report: ConformanceReport, allowIncomplete = false): void {
  const good = ['conformant', 'conformant-with-waivers', ...(allowIncomplete ? ['incomplete'] : [])]
  if (!good.includes(report.verdict)) throw new Error([report.verdict, ...report.reasons].join('\n  '))
}

function explained(result: CheckResult): string {
  const { requirement, sentence = '', anchor, clause, message, notes = [], expected, actual, curl } = result
  const parts: [string, string | undefined][] = [
    ['requirement', `${requirement}: ${sentence}`],
    ['contract', clause],
    ['reference', anchor],
    ...notes.map((note): [string, string] => ['note', note]),
    ['expected', expected],
    ['actual', actual],
    ['reproduce', curl],
  ]
  const known = parts.filter(([, text]) => text !== undefined)
  return [message, ...known.map(([name, text]) => `  ${name.padEnd(11)}  ${text}`)].join('\n')
}
