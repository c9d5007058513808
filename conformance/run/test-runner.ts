import { requirement, type CheckResult, type ConformanceReport } from '../../schemas/index.ts'
import type { Check } from '../checks/check.ts'
import { checks } from '../checks/index.ts'
import { runConformance, type ConformanceOptions } from './conformance.ts'
import { selectChecks } from './select-checks.ts'

export interface DescribeOptions extends Omit<ConformanceOptions, 'baseUrl' | 'token'> {
  /** Where the target is. May be left to `before`. */
  baseUrl?: string
  /** Bearer token; null for a target that asks for none. May be left to `before`. */
  token?: string | null
  /** Runs first, to start the target for instance; what it returns overrides the other options. */
  before?: () => Promise<Partial<ConformanceOptions>> | Partial<ConformanceOptions>
  /** Runs last, to stop it. */
  after?: () => Promise<void> | void
  /** The verdict `incomplete` passes. */
  allowIncomplete?: boolean
}

/** How long a test runner should wait for the run, in milliseconds: the longest run and some time to spare. */
export const runTimeout = ({ maxDurationMs = 30 * 60_000 }: DescribeOptions): number => maxDurationMs + 60_000

/**
 * The checks of a run as tests: one for each, under the clause it tests.
 *
 * @throws UsageError when `only` and `skip` leave none.
 */
export function planOf({ only = [], skip = [] }: DescribeOptions): [clause: string, checks: Check[]][] {
  const byClause = new Map<string, Check[]>()
  for (const check of selectChecks(checks, only, skip).selected) {
    const clause = requirement(check.requirement).clause.section
    byClause.set(clause, [...(byClause.get(clause) ?? []), check])
  }
  return [...byClause]
}

/** Runs the suite for a test runner. */
export async function runOf({ before, ...options }: DescribeOptions): Promise<ConformanceReport> {
  const { baseUrl = '', token = null, ...rest } = { ...options, ...(await before?.()) }
  return runConformance({ ...rest, baseUrl, token })
}

/** Why the test of a check is skipped; undefined if it is not. */
export function skipReason(report: ConformanceReport, id: string): string | undefined {
  const result = report.checks.find((result) => result.id === id)
  if (!result) return `not run: ${report.reasons.join(' ')}`
  const { outcome, message, waiver } = result
  if (outcome === 'waived') return `waived: ${waiver?.reason}`
  return outcome === 'not-exercised' || outcome === 'inconclusive' ? `${outcome}: ${message}` : undefined
}

/** @throws Error with all that a vendor needs to fix it, if the check failed. */
export function expectPassed(report: ConformanceReport, id: string): void {
  const result = report.checks.find((result) => result.id === id)
  const strictly = report.options.strict && (result?.outcome === 'warn' || (result?.notes?.length ?? 0) > 0)
  if (result && (result.outcome === 'fail' || result.outcome === 'error' || strictly))
    throw new Error(explained(result))
}

/** @throws Error with the reasons, if the verdict is not a good one. */
export function expectVerdict(report: ConformanceReport, allowIncomplete = false): void {
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
    ['again', curl],
  ]
  const known = parts.filter(([, text]) => text !== undefined)
  return [message, ...known.map(([name, text]) => `  ${name.padEnd(11)}  ${text}`)].join('\n')
}
