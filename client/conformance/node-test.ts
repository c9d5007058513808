import { before, describe, test } from 'node:test'
import { declareHabits, type DescribeHabitsOptions } from './habits/test-runner.ts'

export type { DescribeHabitsOptions } from './habits/test-runner.ts'

/**
 * Declares tests of `node --test` for a client: one for each way in which services may differ, each against a server of its
 * own.
 *
 * @example
 * describeHabits({ run: async ({ baseUrl, token, fetch }) => readRuns({ baseUrl, token, fetch }) })
 * @throws HabitUsageError when `only` and `skip` exclude every habit
 */
export function describeHabits(options: DescribeHabitsOptions): void {
  declareHabits(options, {
    describe,
    test: (name, run) => test(name, (context) => run((reason) => context.skip(reason))),
    before: (run, timeout) => before(run, { timeout }),
  })
}
