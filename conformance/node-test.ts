import { after, before, describe, test } from 'node:test'
import { declareTests, type DescribeOptions } from './run/test-runner.ts'

export type { DescribeOptions } from './run/test-runner.ts'

/**
 * Declares the conformance suite as tests of `node --test`: one for each check, grouped by place in the contract, and one
 * for the verdict. Checks without a result are skipped with the reason.
 *
 * @example
 * describeConformance({ baseUrl: 'http://127.0.0.1:8080', token: process.env.TOKEN })
 * @throws UsageError when `only` and `skip` exclude every check
 */
export function describeConformance(options: DescribeOptions): void {
  declareTests(options, {
    describe,
    test: (name, run) => test(name, (context) => run((reason) => context.skip(reason))),
    before: (run, timeout) => before(run, { timeout }),
    after,
  })
}
