import type { PartialRow } from '../../fixtures/factories/complete-row.ts'
import type { Reference } from '../../fixtures/factories/run-rows.ts'
import type { OptionTypes } from '../../base/check-options.ts'
import type { Duration } from '../../base/time/duration.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import type { Settings } from '../../schemas/open-points.ts'
import type { LoggedRequest } from '../app/log/request-log.ts'
import type { FaultList } from '../app/faults/faults.ts'
import type { OtherWords } from '../app/faults/words.ts'
import type { ChangedCounts } from '../rows/session-rows.ts'
import type { Stub } from '../app/sessions/stubs.ts'

/** Rows by view. A column that refers to another view takes values of that row in place of its id: `{ name: 'OD600' }`. */
export type SessionRowsByView = {
  readonly [V in ViewName]?: readonly {
    readonly [K in keyof PartialRow<V>]?: PartialRow<V>[K] | Reference
  }[]
}

/** Keys by view: ids, or `{ id, timestamp }` for single points. */
export type KeysByView = {
  readonly [V in ViewName]?: readonly (string | { readonly id: string; readonly timestamp: string })[]
}

/** Selects requests. */
export interface RequestFilter<Text extends string = string> {
  /** Words of the statement next to each other, such as `limit 5` or a view. */
  readonly statement?: ViewName | OtherWords<Text>
  readonly status?: number
  readonly state?: LoggedRequest['state']
  /** The id of a request, or a time in ISO 8601. */
  readonly after?: number | string
}

/** The rows of a session. Each change is complete or changes nothing; it throws a ControlError that names what is wrong. */
export interface RowControl {
  /**
   * Adds rows, or replaces those with the same key. Missing columns get defaults, references must exist, `last_updated_at`
   * advances, and the statistics of a series follow from its points.
   * @example await mock.rows.put({ v_quantities: [{ id: 'q1', name: 'Colour' }] })
   */
  put(rows: SessionRowsByView): Promise<ChangedCounts>
  /**
   * Changes columns of existing rows. Each row has its key.
   * @example await mock.rows.patch({ v_quantities: [{ id: 'q1', name: 'Colour of the broth' }] })
   */
  patch(rows: SessionRowsByView): Promise<ChangedCounts>
  /**
   * Removes rows, and the rows that refer to them. They appear in `v_archived_records`, except points.
   * @example await mock.rows.remove({ v_quantities: ['q1'] })
   */
  remove(keys: KeysByView): Promise<ChangedCounts>
}

/** The time of a session, which `now()` tells in SQL. Rows change as those of the plant do. It moves forward only, until the session or its rows are reset. */
export interface ClockControl {
  /**
   * The time of the session, in ISO 8601.
   * @example const before = await mock.clock.now()
   */
  now(): Promise<string>
  /**
   * Moves the time forward. Resolves with the new time.
   * @example await mock.clock.advance('30min')
   * @param duration such as `1d`, `4h`, `30min` or `90s`
   */
  advance(duration: Duration): Promise<string>
  /**
   * Moves the time forward to a time. Resolves with the new time.
   * @example await mock.clock.set('2026-01-02T08:00:00Z')
   * @param time ISO 8601 with a zone
   */
  set(time: string): Promise<string>
  /**
   * Lets the time pass at a speed. Resolves with the time at which it starts.
   * @example await mock.clock.run(60) // one plant minute per second
   * @param speed plant seconds per second; 0 freezes the time
   */
  run(speed: number): Promise<string>
}

/** Shapes one session of a server, and tells what reached it. */
export interface SessionControl {
  /** Empty for the common session. */
  readonly id: string
  /** The base URL for the application: requests below it belong to the session. */
  readonly baseUrl: string
  /** The header by which requests to the server's own base URL belong to the session. */
  readonly headers: Readonly<Record<string, string>>
  readonly rows: RowControl
  readonly clock: ClockControl
  /** Answers matching statements in the place of the data. The newest stub that matches answers. */
  stub<Text extends string>(...stubs: readonly Stub<Text>[]): Promise<void>
  /** Takes variants on, on top of those in use. */
  use(variants: Partial<Settings>): Promise<void>
  /** Takes variants on for the next statements. */
  once(variants: Partial<Settings>, count?: number): Promise<void>
  /** Sets faults in place of those before. */
  faults(faults: FaultList): Promise<void>
  /** The last 500 requests. */
  requests<Text extends string>(filter?: RequestFilter<Text>): Promise<readonly LoggedRequest[]>
  /**
   * Resolves when requests have arrived.
   *
   * @throws ControlError if they do not arrive in time
   */
  waitForRequest<Text extends string>(
    filter?: RequestFilter<Text>,
    options?: WaitOptions,
  ): Promise<readonly LoggedRequest[]>
  /**
   * Resolves when the time is over without a request.
   *
   * @throws ControlError if one arrives
   */
  expectNoRequest<Text extends string>(
    filter?: RequestFilter<Text>,
    options?: Omit<WaitOptions, 'count'>,
  ): Promise<void>
  forgetRequests(): Promise<void>
  /** Returns to the state the session began with. Prints which stubs answered no statement, although some came. */
  reset(): Promise<void>
  /** Ends the session. The common one does not end. */
  end(): Promise<void>
}

export interface WaitOptions {
  /** How many requests. Default: 1. */
  readonly count?: number
  /** Default: 2000 ms, and 200 ms for none. */
  readonly withinMs?: number
}

export const waitTypes: OptionTypes<WaitOptions> = { count: 'number', withinMs: 'number' }

/** The server refused. The message is the server's and names the remedy. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** HTTP status. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
