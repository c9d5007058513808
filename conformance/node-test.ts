import { after, before, describe, test } from 'node:test'
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
 * The conformance suite as tests of `node --test`: one for each check, grouped by clause, and one for the verdict.
 * What was not exercised is skipped with its reason.
 *
 * @example
 * describeConformance({ baseUrl: 'http://127.0.0.1:8080', token: process.env.TOKEN })
 * @throws UsageError when `only` and `skip` leave no check.
 */
export function describeConformance(options: DescribeOptions): void {
  const plan = planOf(options)
  describe('conformance', () => {
    let report: ConformanceReport
    before(
      async () => {
        report = await runOf(options)
      },
      { timeout: runTimeout(options) },
    )
    after(() => options.after?.())
    for (const [clause, checks] of plan)
      describe(clause, () => {
        for (const { id, title } of checks)
          test(`${id}: ${title}`, (context) => {
            const reason = skipReason(report, id)
            if (reason === undefined) expectPassed(report, id)
            else context.skip(reason)
          })
      })
    test('the verdict', () => expectVerdict(report, options.allowIncomplete))
  })
}
