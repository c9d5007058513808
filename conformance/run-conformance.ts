import type { CheckResult, ConformanceReport } from '../schemas/index.ts'
import { contract } from '../schemas/index.ts'
import { parseBaseUrl } from './base-url.ts'
import type { Check } from './check.ts'
import { checks as allChecks } from './checks/index.ts'
import { Client, TransportError } from './target/client.ts'
import { describeReply } from './target/reply.ts'
import { runChecks, type OnResult, type RunOutcome } from './runner.ts'
import { seededChecks } from './seeded/checks.ts'
import type { Oracle } from './seeded/oracle.ts'
import { selectChecks, UsageError } from './select-checks.ts'
import { Target } from './target/target.ts'
import { judge } from './verdict.ts'

export interface ConformanceOptions {
  /** Where the target is, with its scheme; the endpoint's path is added. */
  baseUrl: string
  /** Bearer token; null for a target that asks for none. */
  token: string | null
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch
  /** Further headers of every request, for gateways. */
  headers?: Record<string, string>
  only?: string[]
  skip?: string[]
  /** Warnings and notes fail. */
  strict?: boolean
  /** Limit the target is held to, in milliseconds. Default 30000; at another one the verdict is `incomplete`. */
  timeLimitMs?: number
  /** A statement that runs past the limit, for targets without a sleep function. */
  slowStatement?: string
  /** Tries real writes. Only for a test instance of one's own. */
  destructiveProbes?: boolean
  /** Checks at once. Default 4. */
  concurrency?: number
  /** Repetitions of a request that got no response at all. Default 1. */
  retries?: number
  /** The target has loaded the simulated plant: its answers are compared with those of a server that has, too. */
  seeded?: {
    oracle: Oracle
    /** How many generated statements. Default 0. */
    fuzz?: number
  }
  /** Version of the suite, for the report. */
  version?: string
  onResult?: OnResult
}

/**
 * Judges one target and says why, clause by clause. Rejects only for a {@link UsageError}: whatever the target
 * does ends in a report.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { only = [], skip = [], strict = false, destructiveProbes = false } = options
  const timeLimitMs = options.timeLimitMs ?? contract.limits.executionMs
  if (!(timeLimitMs > 0)) throw new UsageError('The time limit has to be a positive number of milliseconds.')
  const { selected, leftOut } = selectChecks(
    [...allChecks, ...furtherChecks(options, timeLimitMs)],
    only,
    skip,
  )
  const client = new Client({
    baseUrl: parseBaseUrl(options.baseUrl),
    path: contract.endpoint.path,
    token: options.token,
    headers: options.headers ?? {},
    fetch: options.fetch ?? fetch,
    // Long enough to tell a late 504 from none: the sleep of the time checks is 15 s longer than the limit.
    timeoutMs: timeLimitMs + 20_000,
    retries: options.retries ?? 1,
  })
  const target = new Target(client, {
    timeLimitMs,
    destructiveProbes,
    ...(options.slowStatement === undefined ? {} : { slowStatement: options.slowStatement }),
  })
  const started = { at: new Date(), ms: performance.now() }
  const run = await execute(selected, target, options)
  const judgement = judge({
    results: run.results,
    leftOut,
    timeLimitMs,
    strict,
    unreachable: run.unreachable,
  })
  return {
    suite: { name: 'bioprocess-sql-contract', version: options.version ?? 'unreleased' },
    contract: { version: contract.version },
    target: { baseUrl: client.options.baseUrl },
    ...judgement,
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
      ...(options.seeded && { seeded: seededOptions(options.seeded) }),
    },
    counts: countOutcomes(run.results),
    checks: run.results,
    observations: run.observations,
  }
}

const seededOptions = ({ oracle: { seed, scale }, fuzz = 0 }: NonNullable<ConformanceOptions['seeded']>) => ({
  seed,
  scale,
  fuzz,
})

const furtherChecks = ({ seeded, concurrency = 4 }: ConformanceOptions, timeLimitMs: number): Check[] =>
  seeded ? seededChecks({ fuzz: 0, ...seeded, concurrency, timeoutMs: timeLimitMs + 20_000 }) : []

interface Execution extends RunOutcome {
  /** Why the target can not be reached, where it can not. */
  unreachable: string | undefined
}

/** First one plain statement: nothing can be said about a target that can not be reached or lets nobody in. */
async function execute(selected: Check[], target: Target, options: ConformanceOptions): Promise<Execution> {
  const silent = await whySilent(() => target.baseline())
  if (silent !== undefined) return { results: [], observations: {}, unreachable: silent }
  const stopped = whyNothingElseCanBeAsked(await target.baseline())
  const checks = stopped === undefined ? selected : selected.map((check) => withheld(check, stopped))
  const outcome = await runChecks(checks, target, {
    concurrency: options.concurrency ?? 4,
    secrets: options.token ? [options.token] : [],
    ...(options.onResult ? { onResult: options.onResult } : {}),
  })
  const lost = outcome.results.some((result) => result.outcome === 'inconclusive')
  return {
    ...outcome,
    unreachable: lost
      ? await whySilent(() => target.query('SELECT id FROM v_bioprocesses LIMIT 1'))
      : undefined,
  }
}

/** The reason why a request gets no answer at all, undefined where it gets one. */
async function whySilent(ask: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await ask()
    return undefined
  } catch (error) {
    if (error instanceof TransportError) return error.message
    throw error
  }
}

function whyNothingElseCanBeAsked(baseline: Awaited<ReturnType<Target['baseline']>>): string | undefined {
  if (baseline.status === 401 || baseline.status === 403)
    return `the target refused the token (HTTP ${baseline.status}); pass a valid one with --token`
  if (!baseline.envelope) return `the plainest statement was answered ${describeReply(baseline)}`
  return undefined
}

/** REQ-HTTP-1 and REQ-AUTH-1 speak about that very answer; every other check would only repeat it. */
function withheld(check: Check, reason: string): Check {
  if (['REQ-HTTP-1', 'REQ-AUTH-1'].includes(check.requirement)) return check
  return { ...check, lane: 'main', run: async () => ({ outcome: 'not-exercised', message: reason }) }
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
