import { checkServiceOptions, type OptionTypes } from '../../base/check-options.ts'
import type { Baseline, RequirementSetName } from '../../schemas/index.ts'
import type { CheckId } from '../generated/check-ids.ts'
import type { OnResult } from './phases.ts'
import type { ReferenceServer } from '../seeded/reference.ts'
import { UsageError } from '../connection/usage-error.ts'
import type { Disclosure } from '../connection/redaction/disclosure.ts'

export interface ConformanceOptions {
  /** Base URL of the target, with its scheme. The suite appends the path of the endpoint. */
  baseUrl: string
  /** Bearer token; null for a target without authentication. */
  token: string | null
  /** Whether the target is the reference server of this package. Reports say so. */
  isReference?: boolean
  /**
   * Fetches a new token when the target refuses the current one. Waiting requests share one call.
   *
   * @param signal aborts when the run ends
   */
  renewToken?: (signal: AbortSignal) => Promise<string>
  /** An expired token, which the target must refuse. */
  expiredToken?: string
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch
  /** Additional headers of every request, for gateways. */
  headers?: Record<string, string>
  only?: (CheckId | (string & {}))[]
  skip?: (CheckId | (string & {}))[]
  /** Warnings and notes fail. */
  strict?: boolean
  /** The requirements that count. Default `v1`; with `next`, checks that are newer than the set can fail too. */
  requirementSet?: RequirementSetName | undefined
  /** Known failures to waive. */
  baseline?: Baseline
  /**
   * Reasons to accept that a check could not be exercised, by its id: a target without a sleep function, an empty archive.
   * The check counts as waived. Any other outcome stays.
   */
  acceptNotExercised?: Record<string, string>
  /** Time limit of a statement, in milliseconds. Default 30000; with another limit the verdict is `incomplete`. */
  timeLimitMs?: number
  /** A statement that runs past the limit, for targets without a sleep function. */
  slowStatement?: string
  /** Puts load on a target without a sleep function, to exceed its limit. Only for a target that nobody else uses. */
  allowHeavy?: boolean
  /** Sends real writes. Only for your own test instance. */
  destructiveProbes?: boolean
  /** Number of checks that run in parallel. Default 4. */
  concurrency?: number
  /** Most requests per second. Default: as many as the target answers without limiting them. */
  rate?: number
  /** Retries of a request without any response. Default 1. */
  retries?: number
  /** Longest run, in milliseconds. The remaining checks are not exercised. Default 30 minutes. */
  maxDurationMs?: number
  /** Maximum number of requests. The remaining checks are not exercised. */
  maxStatements?: number
  /** Maximum LIMIT of a statement. Checks that need more rows are not exercised. */
  maxRows?: number
  /** `hashed` (default) conceals row values in the report, `full` shows them and the replies. */
  evidence?: Disclosure
  /** Ends the run early. The remaining checks are not exercised. */
  signal?: AbortSignal
  /** Compares replies with those of the reference. The target must have loaded the simulated plant. */
  seeded?: (
    | { reference: ReferenceServer }
    /** @deprecated Use `reference`. */
    | { oracle: ReferenceServer }
  ) & {
    /** Number of generated statements. Default 0. */
    fuzz?: number
  }
  /**
   * Number of generated statements beyond those of every run. Their rows are compared with those of the views that the target
   * returns whole. Default 0.
   */
  fuzz?: number
  /** Sends neither the User-Agent of the suite nor the id of the check. */
  anonymous?: boolean
  /** Version of the suite in the report and in the User-Agent. */
  version?: string
  /** Commit of the suite in the report. */
  commit?: string | undefined
  onResult?: OnResult
}

/** The option `seeded` with its defaults. */
export const seededOf = ({ seeded }: ConformanceOptions) =>
  seeded && {
    reference: 'reference' in seeded ? seeded.reference : seeded.oracle,
    fuzz: seeded.fuzz ?? 0,
  }

/** The options that must be positive, with their units. */
const POSITIVE = {
  timeLimitMs: 'milliseconds',
  maxDurationMs: 'milliseconds',
  concurrency: 'checks',
  rate: 'requests per second',
  maxStatements: 'requests',
  maxRows: 'rows',
} as const

const types: OptionTypes<ConformanceOptions> = {
  baseUrl: 'string',
  isReference: 'boolean',
  token: 'string | null',
  renewToken: 'function',
  expiredToken: 'string',
  fetch: 'function',
  headers: 'object',
  only: 'array',
  skip: 'array',
  strict: 'boolean',
  requirementSet: 'string',
  baseline: 'object',
  acceptNotExercised: 'object',
  timeLimitMs: 'number',
  slowStatement: 'string',
  allowHeavy: 'boolean',
  destructiveProbes: 'boolean',
  concurrency: 'number',
  rate: 'number',
  retries: 'number',
  maxDurationMs: 'number',
  maxStatements: 'number',
  maxRows: 'number',
  evidence: 'string',
  signal: 'AbortSignal',
  seeded: 'object',
  fuzz: 'number',
  anonymous: 'boolean',
  version: 'string',
  commit: 'string',
  onResult: 'function',
}

/** @throws UsageError when the token is missing, an option does not exist or has another type, or a number is not positive */
export function checkConformanceOptions(options: ConformanceOptions): void {
  checkServiceOptions(options, types, UsageError)
  // a secret that is not there must not look like a target without authentication
  if (options.token === undefined)
    throw new UsageError(
      'token is undefined. Give a bearer token, or null for a target without authentication.',
    )
  for (const [name, unit] of Object.entries(POSITIVE)) {
    const value = options[name as keyof typeof POSITIVE]
    if (value !== undefined && !(value > 0))
      throw new UsageError(`${name} is ${value}. Give a positive number of ${unit}.`)
  }
}
