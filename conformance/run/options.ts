import type { Baseline } from '../../schemas/index.ts'
import type { OnResult } from './phases.ts'
import type { ReferenceServer } from '../seeded/reference.ts'
import { UsageError } from '../connection/usage-error.ts'
import type { Disclosure } from '../connection/disclosure.ts'

export interface ConformanceOptions {
  /** Where the target is, with its scheme; the endpoint's path is added. */
  baseUrl: string
  /** Bearer token; null for a target that asks for none. */
  token: string | null
  /** Fetches a new token when the target refuses the one before. Called for all waiting requests at once. */
  renewToken?: () => Promise<string>
  /** A token that has expired: the target must refuse it. */
  expiredToken?: string
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch
  /** Further headers of every request, for gateways. */
  headers?: Record<string, string>
  only?: string[]
  skip?: string[]
  /** Warnings and notes fail. */
  strict?: boolean
  /** Known departures that are accepted. */
  baseline?: Baseline
  /** Limit the target is held to, in milliseconds. Default 30000; at another one the verdict is `incomplete`. */
  timeLimitMs?: number
  /** A statement that runs past the limit, for targets without a sleep function. */
  slowStatement?: string
  /** Puts load on a target without a sleep function, to run past its limit. Only for a target that nobody else uses. */
  allowHeavy?: boolean
  /** Tries real writes. Only for your own test instance. */
  destructiveProbes?: boolean
  /** Checks at once. Default 4. */
  concurrency?: number
  /** Repetitions of a request that got no response at all. Default 1. */
  retries?: number
  /** Longest run, in milliseconds; then the rest is not exercised. Default 30 minutes. */
  maxDurationMs?: number
  /** The most requests; then the rest is not exercised. */
  maxStatements?: number
  /** The most rows that a LIMIT asks for; checks that take more are not exercised. */
  maxRows?: number
  /** Whether row values are hidden in the report (`hashed`, the default), or shown with the answers (`full`). */
  evidence?: Disclosure
  /** Ends the run early: the rest is not exercised. */
  signal?: AbortSignal
  /** Compares the answers with reference rows; the target must have loaded the simulated plant. */
  seeded?: {
    reference: ReferenceServer
    /** How many generated statements. Default 0. */
    fuzz?: number
  }
  /** Version of the suite, for the report. */
  version?: string
  onResult?: OnResult
}

/** The numbers that have to be positive, and what they count. */
const POSITIVE = {
  timeLimitMs: 'milliseconds',
  maxDurationMs: 'milliseconds',
  concurrency: 'checks',
  maxStatements: 'requests',
  maxRows: 'rows',
} as const

/** @throws UsageError for a number that is not positive. */
export function checkNumbers(options: ConformanceOptions): void {
  for (const [name, unit] of Object.entries(POSITIVE)) {
    const value = options[name as keyof typeof POSITIVE]
    if (value !== undefined && !(value > 0))
      throw new UsageError(`${name} is ${value}. It has to be a positive number of ${unit}.`)
  }
}
