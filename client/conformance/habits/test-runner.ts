import { contract } from '../../../schemas/contract.ts'
import { untilAborted } from '../../../base/until-aborted.ts'
import { type HabitOptions, runHabits } from './run.ts'
import { selectHabits } from './select-habits.ts'
import type { HabitReport, HabitResult, HabitTarget, RunTests } from './types.ts'

export interface DescribeHabitsOptions extends Omit<HabitOptions, 'onResult' | 'signal'> {
  /** Uses the client against a server, and throws if a result is wrong. Called many times at once. */
  readonly run: (target: HabitTarget) => Promise<void> | void
  /** Whether the servers listen on ports, for a client that cannot be given a `fetch`. Default: false. */
  readonly listen?: boolean
  /** The longest time for all habits, in milliseconds. Default: 10 minutes. */
  readonly maxDurationMs?: number
}

/** The functions of a test runner that {@link declareHabits} needs. */
export interface TestRunner {
  describe(name: string, declare: () => void): unknown
  /** `run` calls `skip` with a reason, or throws if the test fails. */
  test(name: string, run: (skip: (reason: string) => void) => void): unknown
  before(run: () => Promise<void>, timeoutMs: number): unknown
}

/**
 * Declares a test for each habit, one for the client-side requirements and one for the run without any habit. A habit that
 * the client need not cope with is skipped with the reason if it stops the client.
 *
 * @throws HabitUsageError when `only` and `skip` exclude every habit
 */
export function declareHabits(options: DescribeHabitsOptions, { describe, test, before }: TestRunner): void {
  const { run, listen, maxDurationMs = 600_000, ...rest } = options
  const selected = selectHabits(options.only, options.skip)
  describe('habits of services', () => {
    let report: HabitReport
    before(async () => {
      report = await runHabits(inThisProcess(run), rest, listen)
    }, maxDurationMs)
    test(`the client keeps the requirements of the contract ${contract.version}`, () => {
      if (report.verdict === 'incomplete') throw new Error(report.notes.join('\n'))
      const broken = report.plain.findings.filter(({ outcome }) => outcome === 'fail')
      if (broken.length > 0)
        throw new Error(broken.map(({ requirement, sentence }) => `${requirement}: ${sentence}`).join('\n'))
    })
    for (const { id, title } of selected)
      test(`${id}: ${title}`, (skip) => {
        const result = report.results.find((one) => one.id === id)!
        if (result.outcome !== 'stopped') return
        if (result.standing !== 'neutral' && result.stoppedBy !== 'requirement')
          return skip(`${result.standing}: ${result.failure?.message}`)
        throw errorOf(result)
      })
  })
}

/** Runs a function as the tests of a client. */
export const inThisProcess =
  (run: DescribeHabitsOptions['run']): RunTests =>
  async (target) => {
    try {
      await untilAborted((async () => run(target))(), target.signal)
      return undefined
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error))
      return { message, ...(stack !== undefined && { output: stack }), error }
    }
  }

/** The error of the tests with the request during which it happened, or what the client violates. */
function errorOf({ failure, request, findings }: HabitResult): Error {
  const during = request && `${request.statement} (${request.answer})`
  const violated = findings
    .filter(({ outcome }) => outcome === 'fail')
    .map(({ requirement, sentence }) => `${requirement}: ${sentence}`)
  const message = [...violated, failure?.message, during && `during: ${during}`].filter(Boolean).join('\n')
  return new Error(message, { cause: failure?.error })
}
