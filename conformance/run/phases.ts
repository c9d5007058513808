import { setImmediate } from 'node:timers/promises'
import type { CheckResult } from '../../schemas/index.ts'
import type { Check, Phase } from '../checks/check.ts'
import { askingFor } from '../connection/http/identity.ts'
import { inParallel } from '../connection/in-parallel.ts'
import { servesOthersMeanwhile } from '../samples/time-limit.ts'
import type { Target } from '../connection/target.ts'
import { numberOf, observeAll, type Observations } from '../open-points/observe.ts'
import type { Probe } from '../open-points/probe.ts'
import { resultOf, type ResultOptions } from './check-result.ts'
import { isUnclear, mayVary, repeatAlone, repeatUnclear } from './repeat-alone.ts'
import { notesWithSameRows } from './same-rows.ts'
import { settle, type Settled } from './settle.ts'

interface PhaseRow {
  phase: Phase
  /** Starts when these have ended. */
  after: readonly Phase[]
  /** Starts when these have ended instead, if the target serves other statements while one sleeps. */
  ifServing?: readonly Phase[]
  /** Number of checks that run in parallel. */
  atOnce: 'concurrency' | 'all' | 1
}

/** The order of a run. Each phase ends with the probes that read the exchanges of its checks. */
const PHASES: readonly PhaseRow[] = [
  { phase: 'parallel', after: [], atOnce: 'concurrency' },
  { phase: 'alone', after: ['parallel'], atOnce: 1 },
  { phase: 'limit', after: ['alone'], ifServing: ['parallel'], atOnce: 1 },
  { phase: 'afterLimit', after: ['limit'], ifServing: [], atOnce: 'all' },
  { phase: 'exclusive', after: ['alone', 'limit', 'afterLimit'], atOnce: 1 },
  { phase: 'last', after: ['exclusive'], atOnce: 1 },
  { phase: 'answers', after: ['last'], atOnce: 1 },
  { phase: 'broken', after: ['answers'], atOnce: 1 },
]

export interface RunOptions extends ResultOptions {
  concurrency: number
  /** The probes to run. */
  probes: readonly Probe[]
  /** Called after each check, in the order of their ends. */
  onResult?: OnResult
}

/** Receives the result of a finished check, the number of finished checks, and the ids of the running ones. */
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
  /** Checks that lack replies that were lost. */
  const unclear: Settled[] = []
  const observed: Observations = { observations: {}, notObserved: {} }

  const finish = (settled: Settled) => {
    const notes = notesWithSameRows(target, settled.finding)
    const finding = { ...settled.finding, ...(notes && { notes }) }
    const result = resultOf({ ...settled, finding }, options)
    running.delete(result.id)
    results.set(result.id, result)
    options.onResult?.(result, { done: results.size, total: checks.length, running: [...running] })
  }
  const runPhase = async ({ phase, atOnce }: PhaseRow) => {
    const own = checks.filter((check) => (check.phase ?? 'parallel') === phase)
    const width = { concurrency: options.concurrency, all: own.length, 1: 1 }[atOnce]
    const varying: Settled[] = []
    await inParallel(own, width, async (check) => {
      running.add(check.id)
      const settled = await settle(check, target)
      if (mayVary(settled)) varying.push(settled)
      else if (isUnclear(settled, target)) unclear.push(settled)
      else finish(settled)
    })
    for (const settled of varying) {
      const repeated = await repeatAlone(settled, target)
      if (isUnclear(repeated, target)) unclear.push(repeated)
      else finish(repeated)
    }
    const probes = options.probes.filter(({ after }) =>
      after === undefined ? phase === 'parallel' : own.some(({ id }) => id === after),
    )
    if (phase === 'alone') await askAll()
    const seen = await observeAll(probes, target, (text) => options.secrets.forReport(text))
    Object.assign(observed.observations, seen.observations)
    Object.assign(observed.notObserved, seen.notObserved)
  }

  /** Asks what the checks of all answers need, while the run waits for the limit. The check itself reports what cannot be asked. */
  const askAll = () =>
    inParallel(checks, options.concurrency, ({ id, ask }) =>
      askingFor(id, async () => void (await ask?.(target))).catch(() => {}),
    )
  const selected = new Set(checks.map(({ phase = 'parallel' }) => phase))
  const isServing = selected.has('afterLimit') ? servesOthersMeanwhile(target) : Promise.resolve(false)
  const ended = new Map<Phase, Promise<void>>()
  const endOf = (phases: readonly Phase[]) => Promise.all(phases.map((phase) => ended.get(phase)))
  for (const row of PHASES) {
    const { phase, after, ifServing } = row
    const start = ifServing ? isServing.then((serves) => endOf(serves ? ifServing : after)) : endOf(after)
    ended.set(
      phase,
      start.then(() => runPhase(row)),
    )
  }
  const limitsEnded = Promise.all([ended.get('limit'), ended.get('afterLimit')])
  await Promise.all([
    ...ended.values(),
    limitsEnded,
    ended.get('parallel')!.then(() => prepare(checks, target, limitsEnded)),
  ])

  await repeatUnclear(unclear, target, finish)

  for (const probe of options.probes)
    if (probe.after !== undefined && !results.has(probe.after))
      observed.notObserved[numberOf(probe)] =
        `The probe reads the replies to the check ${probe.after}, which was not selected.`
  return { results: checks.map(({ id }) => results.get(id)!), ...observed }
}

/** Prepares checks until a promise settles. Replies are read in between. */
async function prepare(checks: readonly Check[], target: Target, until: Promise<unknown>): Promise<void> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  until.then(end, end)
  for (const check of checks)
    try {
      for (const _ of check.prepare?.(target) ?? []) {
        await setImmediate()
        if (isOver) return
      }
    } catch {
      // the check itself reports it
    }
}
