import { beforeAll, describe, test } from 'vitest'
import { declareHabits, type DescribeHabitsOptions } from './habits/test-runner.ts'

export type { DescribeHabitsOptions } from './habits/test-runner.ts'

/**
 * Declares vitest tests for a client: one for each way in which services may differ, each against a server of its own.
 *
 * @example
 * describeHabits({ run: async ({ baseUrl, token, fetch }) => readRuns({ baseUrl, token, fetch }) })
 * @throws HabitUsageError when `only` and `skip` exclude every habit
 */
export function describeHabits(options: DescribeHabitsOptions): void {
  declareHabits(options, {
    describe,
    test: (name, run) => test(name, ({ skip }) => run(skip)),
    before: beforeAll,
  })
}
