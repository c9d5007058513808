import type { CheckResult } from '../../schemas/index.ts'
import type { Check, Phase } from '../checks/check.ts'
import { servesOthersMeanwhile } from '../connection/samples/time-limit.ts'
import type { Target } from '../connection/target.ts'
import { numberOf, observeAll, type Observations } from '../open-points/observe.ts'
import type { Probe } from '../open-points/probe.ts'
import { resultOf, type ResultOptions } from './check-result.ts'

interface PhaseRow {
  phase: Phase
  /** Starts when these have ended. */
  after: readonly Phase[]
  /** Runs beside these instead, if the target serves other statements while one sleeps. */
  beside?: readonly Phase[]
  /** Checks that run at once. */
  atOnce: 'concurrency' | 'all' | 1
}

/** The order of a run. Each phase ends with the probes that read the exchanges of its checks. */
const PHASES: readonly PhaseRow[] = [
  { phase: 'parallel', after: [], atOnce: 'concurrency' },
  { phase: 'limit', after: ['parallel'], atOnce: 1 },
  { phase: 'afterLimit', after: ['limit'], beside: ['parallel', 'limit'], atOnce: 'all' },
  { phase: 'exclusive', after: ['limit', 'afterLimit'], atOnce: 1 },
  { phase: 'last', after: ['exclusive'], atOnce: 1 },
]

export interface RunOptions extends ResultOptions {
  concurrency: number
  /** Recognise the variants of the target. */
  probes: readonly Probe[]
  /** Called after each check, in the order in which they end. */
  onResult?: OnResult
}

/** Receives the result of a check that has ended, how many have, and the ids of those that run now. */
export type OnResult = (
  result: CheckResult,
  state: { done: number; total: number; running: readonly string[] },
) => void

export interface RunOutcome extends Observations {
  /** In the order of the checks given. */
  results: CheckResult[]
}

/** Runs checks against a target, phase by phase. */
export async function runChecks(
  checks: readonly Check[],
  target: Target,
  options: RunOptions,
): Promise<RunOutcome> {
  const results = new Map<string, CheckResult>()
  const running = new Set<string>()
  const observed: Observations = { observations: {}, notObserved: {} }

  const runCheck = async (check: Check) => {
    running.add(check.id)
    const result = await resultOf(check, target, options)
    running.delete(check.id)
    results.set(check.id, result)
    options.onResult?.(result, { done: results.size, total: checks.length, running: [...running] })
  }
  const runPhase = async ({ phase, atOnce }: PhaseRow) => {
    const own = checks.filter((check) => (check.phase ?? 'parallel') === phase)
    const width = { concurrency: options.concurrency, all: own.length, 1: 1 }[atOnce]
    await inParallel(own, width, runCheck)
    const probes = options.probes.filter(({ after }) =>
      after === undefined ? phase === 'parallel' : own.some(({ id }) => id === after),
    )
    const seen = await observeAll(probes, target, (text) => options.secrets.redact(text))
    Object.assign(observed.observations, seen.observations)
    Object.assign(observed.notObserved, seen.notObserved)
  }

  const mayRunBeside = checks.some((check) => PHASES.some((row) => row.beside && row.phase === check.phase))
  const sleep = mayRunBeside ? await servesOthersMeanwhile(target) : undefined
  const ended = new Map<Phase, Promise<void>>()
  for (const row of PHASES) {
    const before = row.beside && sleep?.servesOthers ? [sleep.over] : row.after.map((name) => ended.get(name))
    ended.set(
      row.phase,
      Promise.all(before).then(() => runPhase(row)),
    )
  }
  await Promise.all(ended.values())

  for (const probe of options.probes)
    if (probe.after !== undefined && !results.has(probe.after))
      observed.notObserved[numberOf(probe)] =
        `The probe reads what the check ${probe.after} asks, and that check was left out.`
  return { results: checks.map(({ id }) => results.get(id)!), ...observed }
}

/** Works off a list with at most `width` at once. */
async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
}
