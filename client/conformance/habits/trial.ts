import type { ClientFinding } from '../rules/finding.ts'
import { createClientJudge } from '../rules/judge.ts'
import { PlainAnswers, summaryOf } from './answers.ts'
import type { Recorded } from './record.ts'
import type { HabitServerOptions, HabitServers } from './server.ts'
import type { Failure, Habit, RequestSummary, RunTests } from './types.ts'

/** What all runs of the tests have in common. */
export interface TrialContext {
  readonly servers: HabitServers
  readonly runTests: RunTests
  /** Whether the servers listen on ports, for tests in other processes. */
  readonly isListening: boolean
  /** Variants and faults of every run. */
  readonly base: Pick<HabitServerOptions, 'variants' | 'faults'>
  readonly signal: AbortSignal
}

/** One run of the tests against a server of its own. */
export interface Trial {
  readonly failure?: Failure
  readonly findings: readonly ClientFinding[]
  readonly requests: number
  /** Whether some answer differs from those without the habit, or may do so. */
  readonly isMet: boolean
  readonly request?: RequestSummary
  readonly durationMs: number
  readonly answers: PlainAnswers
}

/** @param plain the answers without the habit; undefined for the run that records them */
export async function runTrial(
  { servers, runTests, isListening, base, signal }: TrialContext,
  habit: Habit | undefined,
  timeoutMs: number,
  plain?: PlainAnswers,
): Promise<Trial> {
  const judge = createClientJudge({ usual: (statement) => plain?.countOf(statement) ?? 0 })
  const answers = new PlainAnswers()
  let requests = 0
  let last: Recorded | undefined
  let lastChanged: Recorded | undefined
  const onExchange = (recorded: Recorded) => {
    requests++
    judge.add(recorded.exchange)
    last = recorded
    if (!plain) answers.add(recorded)
    else if (!plain.has(recorded)) lastChanged = recorded
  }
  const options = {
    variants: { ...base.variants, ...habit?.variants },
    faults: [...base.faults, ...(habit?.faults ?? [])],
    onExchange,
  }
  const server = isListening ? await servers.listen(options) : servers.open(options)
  const ending = new AbortController()
  const abort = () => ending.abort(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    ending.abort(new DOMException(`The tests did not end within ${timeoutMs} ms.`, 'TimeoutError'))
  }, timeoutMs)
  const { baseUrl, token, fetch } = server
  const started = performance.now()
  try {
    const failed = await runTests({
      baseUrl,
      token,
      fetch,
      ...(habit && { habit }),
      signal: ending.signal,
    })
    const failure = failed ?? (plain && requests === 0 ? sentNothing : undefined)
    const shown = lastChanged ?? last
    const triggered = server
      .faults()
      .slice(base.faults.length)
      .some((fault) => fault.triggered > 0)
    return {
      ...(failure && { failure: isOver ? timedOut(failure, timeoutMs) : failure }),
      findings: judge.findings(),
      requests,
      isMet: triggered || lastChanged !== undefined,
      ...(shown && { request: summaryOf(shown.exchange) }),
      durationMs: performance.now() - started,
      answers,
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await server.close()
  }
}

/** Tests that pass without a request show nothing, such as those of a runner that repeats an earlier result. */
const sentNothing: Failure = {
  message:
    'The tests pass but sent no statement, although they send some without the habit. Let them run each time: turn off a cache of results, and skip no test.',
}

const timedOut = (failure: Failure, timeoutMs: number): Failure => ({
  ...failure,
  message: `The tests did not end within ${Math.round(timeoutMs / 100) / 10} s.`,
  isTimeout: true,
})
