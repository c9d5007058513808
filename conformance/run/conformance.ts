import {
  contract,
  currentSet,
  isScored,
  requirementSets,
  type CheckResult,
  type ConformanceReport,
} from '../../schemas/index.ts'
import { checkAcceptedGaps, checkBaseline } from '../baseline/parse-baseline.ts'
import { acceptGap, staleEntries, waive } from '../baseline/waivers.ts'
import { questionIn } from '../answers/answers.ts'
import type { Check } from '../checks/check.ts'
import { checks as allChecks } from '../checks/index.ts'
import { parseBaseUrl } from '../connection/base-url.ts'
import { Client, TransportError, Unserved } from '../connection/http/client.ts'
import { excerpt } from '../connection/redaction/excerpt.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { disclosing } from '../connection/redaction/disclosure.ts'
import { userAgent } from '../connection/http/identity.ts'
import { Pace } from '../connection/http/pace.ts'
import { Limits, Stopped } from '../connection/http/limits.ts'
import { describeReply, lacksEnvelope, readReply, type Reply } from '../connection/http/reply.ts'
import { saysNothing } from '../connection/http/says-nothing.ts'
import { EXPIRED_TOKEN_VARIABLE, Secrets } from '../connection/redaction/secrets.ts'
import { Target } from '../connection/target.ts'
import { deniesToken } from '../connection/http/token-refusals.ts'
import { Tokens } from '../connection/http/tokens.ts'
import { allProbes, withoutProbe } from '../open-points/observe.ts'
import { seededChecks } from '../seeded/checks.ts'
import { runNotes } from './notes.ts'
import { checkConformanceOptions, seededOf, type ConformanceOptions } from './options.ts'
import { runChecks, type OnResult, type RunOutcome } from './phases.ts'
import { selectChecks } from './select-checks.ts'
import { verdictOf } from './verdict.ts'

export type { ConformanceOptions } from './options.ts'

/** Longest wait beyond the time limit, in milliseconds, to distinguish a late 504 from a missing one. */
const LATE_ANSWER_MS = 20_000

/**
 * Runs the suite against one target. Always returns a report, also if the target is unreachable, or the suite itself fails.
 *
 * @example
 * const report = await runConformance({ baseUrl: 'https://data.example.org', token: 'secret' })
 * process.exitCode = exitCodeOf(report.verdict, false)
 *
 * @throws UsageError when an option or an entry of the baseline is invalid, or the token is missing
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  checkConformanceOptions(options)
  return runAt(new Pace(options.rate), options)
}

/** {@link runConformance} at a pace, with valid options. @throws UsageError when an id, a pattern or an entry of the baseline is invalid */
export async function runAt(pace: Pace, options: ConformanceOptions): Promise<ConformanceReport> {
  const { only = [], skip = [], strict = false, destructiveProbes = false, evidence = 'hashed' } = options
  const { baseline, expiredToken, slowStatement, maxStatements, maxRows, maxDurationMs, fuzz } = options
  const { version = 'unreleased', requirementSet: set = currentSet } = options
  const seeded = seededOf(options)
  const timeLimitMs = options.timeLimitMs ?? contract.limits.executionMs
  // aborts what the run has started, at the latest when it is over
  const controller = new AbortController()
  const known = [...allChecks, ...optionalChecks(options, timeLimitMs, controller.signal)]
  const { selected, leftOut } = selectChecks(known, only, skip)
  const ids = known.map(({ id }) => id)
  if (baseline) checkBaseline(baseline, ids)
  checkAcceptedGaps(options.acceptNotExercised ?? {}, ids)
  const baseUrl = parseBaseUrl(options.baseUrl)
  const secrets = secretsOf(options)
  const limits = new Limits(options, controller)
  const client = new Client({
    baseUrl,
    path: contract.endpoint.path,
    tokens: new Tokens(options.token, options.renewToken, (token) => secrets.addToken(token)),
    headers: options.headers ?? {},
    fetch: options.fetch ?? fetch,
    timeoutMs: timeLimitMs + LATE_ANSWER_MS,
    retries: options.retries ?? 1,
    limits,
    pace,
    userAgent: options.anonymous ? undefined : userAgent(version),
  })
  const target = new Target(client, {
    timeLimitMs,
    destructiveProbes,
    allowHeavy: options.allowHeavy ?? false,
    concurrency: options.concurrency,
    slowStatement,
    expiredToken,
    maxRows,
    fuzz,
  })
  const started = { at: new Date(), ms: performance.now() }
  const finished: CheckResult[] = []
  let isOver = false
  const onResult: OnResult = (result, state) => {
    // a check that was left running when the suite failed
    if (isOver) return
    finished.push(result)
    options.onResult?.(result, state)
  }
  const run = await disclosing(evidence, () =>
    secrets.during(() => execute(selected, target, secrets, { ...options, onResult })),
  )
    .catch((error: unknown): Execution => {
      limits.stop('the suite failed')
      const { message } = error instanceof Error ? error : new Error(String(error))
      return {
        results: [...finished],
        observations: {},
        notObserved: {},
        unreachable: undefined,
        failure: message,
      }
    })
    .finally(() => {
      isOver = true
      limits.end()
    })
  const { verdict, reasons } = verdictOf({
    results: run.results,
    leftOut,
    timeLimitMs,
    strict,
    unreachable: run.unreachable,
    failure: run.failure,
    stale: baseline ? staleEntries(run.results, baseline) : [],
    requirementSet: set,
    notes: new Set(selected.filter((one) => !isScored(one, set)).map(({ id }) => id)),
    endedEarly: limits.reason,
  })
  const notes = runNotes(client, maxRows, timeLimitMs)
  return {
    suite: { name: 'bioprocess-sql-contract', version, ...(options.commit && { commit: options.commit }) },
    contract: { version: contract.version },
    requirementSet: { version: set, ...(set !== 'next' && { hash: requirementSets[set].hash }) },
    target: { baseUrl: client.options.baseUrl, ...(options.isReference && { isReference: true }) },
    verdict,
    reasons: reasons.map((reason) => secrets.forReport(reason)),
    ...(notes.length > 0 ? { notes: notes.map((note) => secrets.forReport(note)) } : {}),
    startedAt: started.at.toISOString(),
    durationMs: Math.round(performance.now() - started.ms),
    statements: client.statements,
    options: {
      timeLimitMs,
      authenticated: options.token !== null,
      destructiveProbes,
      strict,
      only,
      skip,
      baseline: baseline !== undefined,
      evidence,
      maxStatements,
      maxRows,
      maxDurationMs,
      ...(fuzz ? { fuzz } : {}),
      ...(seeded && {
        seeded: { seed: seeded.reference.seed, scale: seeded.reference.scale, fuzz: seeded.fuzz },
      }),
    },
    counts: countOutcomes(run.results),
    checks: run.results,
    observations: run.observations,
    notObserved: run.notObserved,
  }
}

const optionalChecks = (options: ConformanceOptions, timeLimitMs: number, signal: AbortSignal): Check[] => {
  const seeded = seededOf(options)
  const { concurrency = 4 } = options
  const timeoutMs = timeLimitMs + LATE_ANSWER_MS
  return seeded ? seededChecks({ ...seeded, concurrency, timeoutMs, signal }) : []
}

interface Execution extends RunOutcome {
  /** Why the target cannot be reached, if it cannot. */
  unreachable: string | undefined
  /** The message of an error of the suite that ended the run. */
  failure?: string
}

/** Sends a plain statement first: if the target is unreachable or refuses the token, no check can run. */
async function execute(
  selected: Check[],
  target: Target,
  secrets: Secrets,
  options: ConformanceOptions,
): Promise<Execution> {
  const first = await firstReply(target)
  if (first instanceof TransportError)
    return { results: [], observations: {}, notObserved: {}, unreachable: first.message }
  const stopped = first && whyUnusable(first)
  const checks =
    !first || stopped === undefined ? selected : selected.map((check) => unlessPlain(check, first, stopped))
  const { baseline, strict = false, acceptNotExercised = {} } = options
  const today = new Date().toISOString().slice(0, 10)
  // Probes read the replies to all checks, so only a complete run has them.
  const observing = stopped === undefined && !options.only?.length
  const outcome = await runChecks(checks, target, {
    concurrency: options.concurrency ?? 4,
    probes: observing ? allProbes : [],
    secrets,
    disclosure: options.evidence ?? 'hashed',
    requirementSet: options.requirementSet ?? currentSet,
    amend: (result) =>
      acceptGap(baseline ? waive(result, { baseline, strict, today }) : result, acceptNotExercised),
    onResult: options.onResult,
  })
  const inconclusive = outcome.results.some((result) => result.outcome === 'inconclusive')
  const { limits } = target.client.options
  const mayAsk = limits.reason === undefined || limits.unresponsive
  return {
    ...outcome,
    ...(observing && { notObserved: { ...withoutProbe, ...outcome.notObserved } }),
    unreachable:
      inconclusive && mayAsk ? whyStopped(target.client, await target.client.whyUnreachable()) : undefined,
  }
}

const statementOf = (exchange: Exchange): string =>
  `\`${excerpt(questionIn(exchange).sql ?? exchange.request.body)}\``

/** Requests that a report names of those that were never answered. */
const NAMED = 3

/** That and when the target stopped answering, and which requests it never answered; undefined without a reason. */
function whyStopped({ last, unanswered }: Client, reason: string | undefined): string | undefined {
  if (reason === undefined || !last) return reason
  // the connections of those that it had received were open
  const received = unanswered.filter(({ broke }) => broke)
  const asked = (received.length > 0 ? received : unanswered).toSorted(
    (one, other) => one.sentAt! - other.sentAt!,
  )
  const named = [...new Set(asked.map(statementOf))].slice(0, NAMED)
  const never = named.length > 0 ? ` It never answered ${named.join(', then ')}.` : ''
  return `The target stopped answering during the run: its last reply of ${last.count} came at ${last.at.toISOString()}, to ${statementOf(last.exchange)}.${never} ${reason}`
}

/** The reply to a plain statement, or the transport error; undefined if the run ended before. */
async function firstReply(target: Target): Promise<Reply | TransportError | undefined> {
  try {
    return await target.baseline()
  } catch (error) {
    if (error instanceof Unserved) return readReply(error.exchange)
    if (error instanceof TransportError) return error
    if (error instanceof Stopped) return undefined
    throw error
  }
}

/** The secrets in the options, except tokens, which are added when they are first used. */
function secretsOf({ expiredToken, headers = {} }: ConformanceOptions): Secrets {
  const secrets = new Secrets()
  if (expiredToken !== undefined) secrets.add(expiredToken, EXPIRED_TOKEN_VARIABLE)
  secrets.addHeaders(headers)
  return secrets
}

/** Why the reply to a plain statement makes all other checks pointless; undefined if it does not. */
function whyUnusable(baseline: Reply): string | undefined {
  if (deniesToken(baseline.status) || baseline.status === 403)
    return `the target refused the token (HTTP ${baseline.status}); pass a valid one with --token`
  if (!baseline.envelope || saysNothing(baseline.exchange))
    return `a plain statement got ${describeReply(baseline)}`
  return undefined
}

/** Replaces a check by the reason why it cannot run. Keeps those that test the plain statement. */
function unlessPlain(check: Check, plain: Reply, reason: string): Check {
  const kept = ['REQ-HTTP-1', 'REQ-AUTH-1', ...(lacksEnvelope(plain) ? ['REQ-HTTP-4'] : [])]
  if (/^(http|auth)\./.test(check.id) && kept.includes(check.requirement)) return check
  const { ask: _, ...rest } = check
  return { ...rest, phase: 'parallel', run: async () => ({ outcome: 'not-exercised', message: reason }) }
}

function countOutcomes(results: readonly CheckResult[]): ConformanceReport['counts'] {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return {
    pass: count('pass'),
    fail: count('fail'),
    warn: count('warn'),
    observed: count('observed'),
    notExercised: count('not-exercised'),
    inconclusive: count('inconclusive'),
    waived: count('waived'),
    error: count('error'),
  }
}
