import { availableParallelism } from 'node:os'
import { checkOptions, type OptionTypes } from '../../../base/check-options.ts'
import { contract } from '../../../schemas/contract.ts'
import type { NodeEngineOptions } from '../../../mock/node/pglite/index.ts'
import { isNoneMet, resultOf, staleWaivers, verdictOf, type Waivers } from './outcome.ts'
import { habitId, type HabitPattern, selectHabits } from './select-habits.ts'
import { type HabitServerOptions, startHabitServers } from './server.ts'
import { runTrial, type Trial, type TrialContext } from './trial.ts'
import { tryEach } from './trials.ts'
import type { Habit, HabitReport, HabitResult, RunTests } from './types.ts'
import { HabitUsageError } from './usage-error.ts'

export interface HabitOptions {
  /** Ids, open points or prefixes such as `rows.*`. Default: all. */
  readonly only?: readonly HabitPattern[]
  readonly skip?: readonly HabitPattern[]
  /** How many runs take place at once. Default: the number of cores. */
  readonly concurrency?: number
  /** The longest run of the tests in milliseconds. Default: derived from the run without any habit. */
  readonly timeoutMs?: number
  /** Accepted results by the id of a habit or a requirement. */
  readonly waivers?: Waivers
  /** Variants and faults of every run, also of the one without any habit. */
  readonly variants?: HabitServerOptions['variants']
  readonly faults?: HabitServerOptions['faults']
  /** The data and the engines of the servers. Default: a hundredth of the default plant, and an engine for each run at once. */
  readonly engine?: NodeEngineOptions
  /** Ends the run; habits without a result are `not run`. */
  readonly signal?: AbortSignal
  readonly onResult?: (result: HabitResult, progress: HabitProgress) => void
}

const types: OptionTypes<HabitOptions> = {
  only: 'array',
  skip: 'array',
  concurrency: 'number',
  timeoutMs: 'number',
  waivers: 'object',
  variants: 'object',
  faults: 'array',
  engine: 'object',
  signal: 'AbortSignal',
  onResult: 'function',
}

export interface HabitProgress {
  readonly done: number
  readonly total: number
  /** The estimated time until the last result, in milliseconds. */
  readonly leftMs: number
}

/** The longest run without a habit, in milliseconds, unless a limit is given. */
const PLAIN_LIMIT_MS = 600_000

/** The limit of the other runs is this many times the duration of the first, and these milliseconds: habits slow down. */
const [LIMIT_FACTOR, LIMIT_SPARE_MS] = [5, 15_000]

/**
 * Runs the tests of a client once without any habit and then once for each habit, each time against a server of its own. A
 * habit stops the client only if the tests fail with it twice, because busy machines make tests fail by chance.
 *
 * @param isListening whether the servers listen on ports, for tests in other processes
 * @throws HabitUsageError if the tests fail or send nothing without any habit, or the options are not valid
 */
export async function runHabits(
  runTests: RunTests,
  options: HabitOptions = {},
  isListening = false,
): Promise<HabitReport> {
  checkOptions(options, types, HabitUsageError)
  const selected = selectHabits(options.only, options.skip)
  const waivers = Object.fromEntries(
    Object.entries(options.waivers ?? {}).map(([name, waiver]) => [habitId(name), waiver]),
  )
  const wanted = options.concurrency ?? availableParallelism()
  const startedAt = new Date().toISOString()
  const started = performance.now()
  // what runs when this function ends, for whatever reason, ends with it
  const ending = new AbortController()
  const { signal } = ending
  const abort = () => ending.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', abort)
  if (options.signal?.aborted) abort()
  const servers = await startHabitServers({ scale: 0.01, workers: wanted, ...options.engine })
  const context: TrialContext = {
    servers,
    runTests,
    isListening,
    base: { variants: options.variants ?? {}, faults: options.faults ?? [] },
    signal,
  }
  try {
    const plain = await runPlain(context, options.timeoutMs ?? PLAIN_LIMIT_MS)
    const timeoutMs = options.timeoutMs ?? LIMIT_SPARE_MS + LIMIT_FACTOR * wanted * plain.durationMs
    const isParallel = wanted === 1 || (await passesBesideItself(context, wanted, timeoutMs))
    let runs = 1 + (wanted > 1 ? wanted : 0)
    const runOnce = async (habit: Habit) => {
      runs++
      const trial = await runTrial(context, habit, timeoutMs, plain.answers)
      return resultOf(habit, trial, plain.findings, waivers)
    }
    const unsteady: string[] = []
    const attempt = async (habit: Habit) => {
      const first = await runOnce(habit)
      if (first.outcome !== 'stopped' || first.stoppedBy !== 'tests' || signal.aborted) return first
      const second = await runOnce(habit)
      if (second.outcome !== 'stopped' && !signal.aborted) unsteady.push(habit.id)
      return second
    }
    const concurrency = isParallel ? wanted : 1
    const report = reporting(options.onResult, selected.length)
    const results = await tryEach(selected, { attempt, concurrency, signal, report })
    return {
      verdict: verdictOf(results, plain.findings, waivers),
      contract: contract.version,
      startedAt,
      durationMs: performance.now() - started,
      runs,
      plain: {
        variants: options.variants ?? {},
        durationMs: plain.durationMs,
        requests: plain.requests,
        findings: plain.findings,
      },
      results,
      notes: [
        ...(isParallel
          ? []
          : [
              'The tests fail if they run several times at once, so they ran one after the other. Give each run its own ports and files, or --concurrency 1.',
            ]),
        ...unsteady.map(
          (id) =>
            `The tests failed once with ${id} and passed when they were repeated with it, so ${id} does not count as stopped. Look for a test that depends on time or order.`,
        ),
        ...(isNoneMet(results)
          ? [
              'No habit was met: the tests ask for nothing that the selected habits change. Select others, or let the tests read rows.',
            ]
          : []),
        ...staleWaivers(results, waivers),
      ],
    }
  } finally {
    ending.abort()
    options.signal?.removeEventListener('abort', abort)
    await servers.close()
  }
}

/** @throws HabitUsageError if the tests fail or send nothing */
async function runPlain(context: TrialContext, limitMs: number): Promise<Trial> {
  const plain = await runTrial(context, undefined, limitMs)
  context.signal.throwIfAborted()
  const { failure, requests } = plain
  if (failure)
    throw new HabitUsageError(
      `The tests fail without any habit. Correct them, or the server they need, first. ${failure.message}${failure.output ? `\n${failure.output}` : ''}`,
    )
  if (requests === 0)
    throw new HabitUsageError(
      'The tests pass but sent no statement to the server, so no habit can show. Let them send to BIOPROCESS_SQL_BASE_URL with the token BIOPROCESS_SQL_TOKEN, or to the given baseUrl.',
    )
  return plain
}

/** Whether the tests also pass if they run several times at once, each with a server of its own. */
async function passesBesideItself(context: TrialContext, times: number, limitMs: number): Promise<boolean> {
  const trials = await Promise.all(Array.from({ length: times }, () => runTrial(context, undefined, limitMs)))
  context.signal.throwIfAborted()
  return trials.every(({ failure }) => failure === undefined)
}

function reporting(onResult: HabitOptions['onResult'], total: number): (result: HabitResult) => void {
  const started = performance.now()
  let done = 0
  return (result) => {
    done++
    const leftMs = ((performance.now() - started) / done) * (total - done)
    onResult?.(result, { done, total, leftMs })
  }
}
