import { afterAll, beforeAll, describe, test } from 'vitest'
import { declareTests, type DescribeOptions } from './run/test-runner.ts'

export type { DescribeOptions } from './run/test-runner.ts'

/**
 * Declares the conformance suite as vitest tests: one for each check, grouped by place in the contract, and one for the
 * verdict. Checks without a result are skipped with the reason.
 *
 * @example
 * describeConformance({ before: async () => ({ baseUrl: await startMine(), token: 'secret' }) })
 * @throws UsageError when `only` and `skip` exclude every check
 */
export function describeConformance(options: DescribeOptions): void {
  declareTests(options, {
    describe,
    test: (name, run) => test(name, ({ skip }) => run(skip)),
    before: beforeAll,
    after: afterAll,
  })
}
