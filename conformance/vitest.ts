import { afterAll, beforeAll, describe, test } from 'vitest'
import type { ConformanceReport } from '../schemas/index.ts'
import {
  expectPassed,
  expectVerdict,
  planOf,
  runOf,
  runTimeout,
  skipReason,
  type DescribeOptions,
} from './run/test-runner.ts'

export type { DescribeOptions } from './run/test-runner.ts'

/**
 * The conformance suite as vitest tests: one for each check, grouped by clause, and one for the verdict. What was
 * not exercised is skipped with its reason.
 *
 * @example
 * describeConformance({ before: async () => ({ baseUrl: await startMine(), token: 'secret' }) })
 * @throws UsageError when `only` and `skip` leave no check.
 */
export function describeConformance(options: DescribeOptions): void {
  const plan = planOf(options)
  describe('conformance', () => {
    let report: ConformanceReport
    beforeAll(async () => {
      report = await runOf(options)
    }, runTimeout(options))
    afterAll(() => options.after?.())
    for (const [clause, checks] of plan)
      describe(clause, () => {
        for (const { id, title } of checks)
          test(`${id}: ${title}`, ({ skip }) => {
            const reason = skipReason(report, id)
            if (reason !== undefined) skip(reason)
            expectPassed(report, id)
          })
      })
    test('the verdict', () => expectVerdict(report, options.allowIncomplete))
  })
}
