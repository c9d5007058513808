import { RequestLog } from '../log/request-log.ts'
import type { Expiry } from '../faults/expiry.ts'
import type { Faults } from '../faults/faults.ts'
import { createRateLimiter } from '../faults/limiter.ts'
import type { ServerSettings } from '../server-settings.ts'
import type { SessionRows } from '../../rows/session-rows.ts'
import { Stubs } from './stubs.ts'

/** The parts of a session that differ between servers. */
export interface SessionParts {
  readonly settings: ServerSettings
  readonly faults: Faults
  readonly rows: SessionRows
}

/**
 * The state that tests shape: settings, faults, stubs, rows, time and the log of requests. A server has one for all requests
 * that name no session, and one for each session.
 */
export class MockSession {
  /** Empty for the common session. */
  readonly id: string
  readonly settings: ServerSettings
  readonly faults: Faults
  readonly rows: SessionRows
  readonly stubs = new Stubs()
  readonly requests = new RequestLog()
  /** Ends the streams of its requests when the session ends. */
  readonly ending = new AbortController()
  /** The state of the setting `rate.mode`. */
  rates = createRateLimiter()
  /** The state of a permission that limits the statements of a token. */
  expiry: Expiry | undefined

  constructor(id: string, { settings, faults, rows }: SessionParts) {
    this.id = id
    this.settings = settings
    this.faults = faults
    this.rows = rows
  }

  /** Returns to the state the session began with. @returns sentences about stubs that answered nothing */
  reset(): string[] {
    const unanswered = this.stubs.unanswered()
    this.settings.reset()
    this.faults.reset()
    this.rows.reset()
    this.stubs.replace([])
    this.requests.clear()
    this.rates = createRateLimiter()
    this.expiry = undefined
    return unanswered
  }
}
