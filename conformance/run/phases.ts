import type { CheckResult } from '../../schemas/index.ts'
import { requirement } from '../../schemas/index.ts'
import type { Check, Finding } from '../checks/check.ts'
import { clauseText } from './clause.ts'
import { observeAll, type Observations, type Probe } from '../open-points/probe.ts'
import { TransportError } from '../connection/client.ts'
import type { Disclosure } from '../connection/disclosure.ts'
import { curlOf, evidenceOf } from '../connection/exchange.ts'
import { Stopped } from '../connection/limits.ts'
import { acceptedSleep } from '../connection/samples/overrun.ts'
import type { Secrets } from '../connection/secrets.ts'
import { NotExercised, type Target } from '../connection/target.ts'

export interface RunOptions {
  concurrency: number
  /** What to look at where the contract is silent. */
  probes: readonly Probe[]
  /** Texts that must not appear in a report. */
  secrets: Secrets
  disclosure: Disclosure
  /** Has the last word on a result: what is waived. */
  amend?: (result: CheckResult) => CheckResult
  /** Called after each check, in the order in which they end. */
  onResult?: OnResult
}

/** Told of a check that has ended, how many have, and the ids of those that run now. */
export type OnResult = (
  result: CheckResult,
  state: { done: number; total: number; running: readonly string[] },
) => void

export interface RunOutcome extends Observations {
  /** In the order of the checks given. */
  results: CheckResult[]
}

/**
 * Runs checks against a target: the `main` ones side by side and then those that `wait` below the limit; beside
 * them those that `outlast` the limit, where the target serves others meanwhile, else after them; then those that
 * want it alone, and last those that look back.
 */
export async function runChecks(
  checks: readonly Check[],
  target: Target,
  options: RunOptions,
): Promise<RunOutcome> {
  const results = new Map<string, CheckResult>()
  const observed: Observations = { observations: {}, notObserved: {} }
  const running = new Set<string>()
  const runOne = async (check: Check) => {
    const started = performance.now()
    running.add(check.id)
    const finding = await settle(check, target)
    running.delete(check.id)
    const found = toResult(check, finding, performance.now() - started, options)
    const result = options.amend?.(found) ?? found
    results.set(check.id, result)
    options.onResult?.(result, { done: results.size, total: checks.length, running: [...running] })
  }
  const lane = (name: Check['lane']) => checks.filter((check) => (check.lane ?? 'main') === name)
  const probesAfter = (name: Check['lane']) =>
    options.probes.filter(({ after }) =>
      after === undefined ? name === 'main' : lane(name).some(({ id }) => id === after),
    )
  const observe = async (name: Check['lane']) => {
    const { observations, notObserved } = await observeAll(probesAfter(name), target, (text) =>
      options.secrets.redact(text),
    )
    Object.assign(observed.observations, observations)
    Object.assign(observed.notObserved, notObserved)
  }
  const others = async () => {
    await inParallel(lane('main'), options.concurrency, runOne)
    await observe('main')
    await inParallel(lane('wait'), 1, runOne)
  }
  const outlasting = lane('outlast')
  const outlast = async () => {
    await inParallel(outlasting, outlasting.length, runOne)
    await observe('outlast')
  }
  const probe = outlasting.length > 0 ? await probeSleep(target) : undefined
  if (probe?.servesOthers) {
    await Promise.all([others(), probe.over.then(outlast)])
  } else {
    await others()
    await outlast()
  }
  await inParallel(lane('alone'), 1, runOne)
  await inParallel(lane('last'), 1, runOne)
  await observe('last')
  for (const { silence, after } of options.probes)
    if (after !== undefined && !checks.some(({ id }) => id === after))
      observed.notObserved[silence] = `It shows in what the check ${after} asks, which was left out.`
  return { results: checks.map((check) => results.get(check.id)!), ...observed }
}

/** Long enough for a target to start another engine, short enough to be waited for by one that has none; in ms. */
const PROBE_MS = 2000

/**
 * Whether a small statement is answered while another one sleeps: if so, waiting costs nobody anything. Known as
 * soon as the small one is answered; `over` tells when the sleep has ended too.
 */
async function probeSleep(target: Target): Promise<{ servesOthers: boolean; over: Promise<void> }> {
  const sleep = await acceptedSleep(target).catch(() => undefined)
  if (!sleep) return { servesOthers: false, over: Promise.resolve() }
  let asleep = true
  const wake = () => {
    asleep = false
  }
  const ms = Math.min(PROBE_MS, target.options.timeLimitMs / 2)
  const over = target.query(sleep(ms)).then(wake, wake)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const served = await target.query('SELECT id FROM v_bioprocesses LIMIT 1').then(
    () => asleep,
    () => false,
  )
  if (!served) await over
  return { servesOthers: served, over }
}

async function settle(
  check: Check,
  target: Target,
): Promise<Finding | (Omit<Finding, 'outcome'> & { outcome: 'error' })> {
  try {
    const finding = await check.run(target)
    return finding.moved ? await lookAgain(check, target, finding) : finding
  } catch (error) {
    if (error instanceof NotExercised)
      return { outcome: 'not-exercised', message: error.message, exchanges: error.exchanges }
    if (error instanceof Stopped)
      return { outcome: 'not-exercised', message: `the run ended early because ${error.message}` }
    if (error instanceof TransportError)
      return { outcome: 'inconclusive', message: error.message, exchanges: [error.exchange] }
    return {
      outcome: 'error',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

/** What the looks behind the first are called; there are no more of them than names. */
const FURTHER_LOOKS = ['second', 'third']

/** Rows moved under a check: with everything read anew it may come to a verdict. That there was a first look is told. */
async function lookAgain(check: Check, target: Target, first: Finding): Promise<Finding> {
  let finding = first
  for (const look of FURTHER_LOOKS) {
    const { message, ...rest } = await check.run(target.fresh())
    finding = { ...rest, message: `${message} (at a ${look} look; at the first ${first.message})` }
    if (!finding.moved) break
  }
  return finding
}

function toResult(
  check: Check,
  finding: Awaited<ReturnType<typeof settle>>,
  durationMs: number,
  { secrets, disclosure }: RunOptions,
): CheckResult {
  const { level } = requirement(check.requirement)
  const { outcome, message, notes = [], expected, actual, exchanges = [] } = finding
  const failed = outcome === 'fail'
  const last = exchanges.at(-1)
  const safe = (text: string) => secrets.redact(text)
  return {
    id: check.id,
    requirement: check.requirement,
    level,
    clause: clauseText(check.requirement),
    title: check.title,
    outcome: failed && level === 'should' ? 'warn' : failed && level === 'observe' ? 'observed' : outcome,
    message: safe(message),
    ...(notes.length > 0 ? { notes: notes.map(safe) } : {}),
    ...(expected === undefined ? {} : { expected: safe(expected) }),
    ...(actual === undefined ? {} : { actual: safe(actual) }),
    ...(failed && last ? { curl: curlOf(last, secrets) } : {}),
    evidence: exchanges.map((exchange) => evidenceOf(exchange, secrets, disclosure)),
    durationMs: Math.round(durationMs),
  }
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
