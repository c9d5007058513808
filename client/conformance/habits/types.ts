import type { FaultText } from '../../../mock/app/faults/fault.ts'
import type { Settings } from '../../../schemas/open-points.ts'
import type { ClientFinding } from '../rules/finding.ts'

/**
 * How a habit counts. A client must cope with a `neutral` one; `warns` and `departs` are those of the variant; a `fault`
 * interrupts the tests, so they may fail, but the client must keep its requirements. Only a neutral habit that stops the
 * client, or a broken must requirement, makes the verdict `stopped`.
 */
export type HabitStanding = 'neutral' | 'warns' | 'departs' | 'fault'

/** A way in which a service differs from the default settings of the reference server. */
export interface Habit {
  /** `rows.shape=array`, or `fault.504`. */
  readonly id: string
  /** The question of the open point and its answer, or what the fault does. */
  readonly title: string
  readonly standing: HabitStanding
  readonly variants: Partial<Settings>
  readonly faults: readonly FaultText[]
}

/** A server with a habit, for one run of the tests. */
export interface HabitTarget {
  readonly baseUrl: string
  readonly token: string
  /** Sends to this server. In this process without a socket, unless the runner listens. */
  readonly fetch: typeof globalThis.fetch
  /** Undefined for the run without any. */
  readonly habit?: Habit
  /** Aborts at the time limit, and when the whole run is aborted. */
  readonly signal: AbortSignal
}

/** Why a run of the tests failed. */
export interface Failure {
  /** One line. */
  readonly message: string
  /** The last lines of output, or a stack. */
  readonly output?: string
  /** The time limit ended the run. */
  readonly isTimeout?: boolean
  /** The thrown value, for test runners. */
  readonly error?: unknown
}

/**
 * Runs the tests of the client once; resolves with the reason if they fail. Rejects only if they cannot be run. Has to end
 * soon after the signal aborts.
 */
export type RunTests = (target: HabitTarget) => Promise<Failure | undefined>

/** A request of a run. */
export interface RequestSummary {
  /** The statement in one line, shortened; or the start of a body without one. */
  readonly statement: string
  /** The status of the answer, or how the connection ended. */
  readonly answer: string
}

/**
 * - `survived`: the tests pass.
 * - `stopped`: the tests fail, or the client broke a must requirement that it keeps without the habit.
 * - `not met`: the tests pass, and no answer differs from those without the habit.
 * - `waived`: stopped, and the baseline accepts it.
 * - `not run`: the run was aborted before.
 */
export type HabitOutcome = 'survived' | 'stopped' | 'not met' | 'waived' | 'not run'

export interface HabitResult {
  readonly id: string
  readonly title: string
  readonly standing: HabitStanding
  readonly outcome: HabitOutcome
  /** Why the client was stopped. */
  readonly stoppedBy?: 'tests' | 'time limit' | 'requirement'
  readonly failure?: Failure
  /** The reason that the baseline gives. */
  readonly reason?: string
  /** The last request before the end whose answer the habit changed, or else the last request. */
  readonly request?: RequestSummary
  /** What the traffic shows against the client and does not show without the habit. */
  readonly findings: readonly ClientFinding[]
  readonly requests: number
  readonly durationMs: number
}

/**
 * - `passed`: every neutral habit survived or not met, one at least survived or waived, and no must requirement broken.
 * - `stopped`: some stopped the client.
 * - `incomplete`: the run was aborted, or no habit was met.
 */
export type HabitVerdict = 'passed' | 'stopped' | 'incomplete'

export interface HabitReport {
  readonly verdict: HabitVerdict
  readonly contract: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  /** How many runs of the tests took place, the first included. */
  readonly runs: number
  /** The run without any habit. */
  readonly plain: {
    /** The variants of every run, where they are not the usual ones. Absent in reports before 0.2.0. */
    readonly variants?: Readonly<Record<string, string>>
    readonly durationMs: number
    readonly requests: number
    readonly findings: readonly ClientFinding[]
  }
  readonly results: readonly HabitResult[]
  /** Sentences about the run as a whole. */
  readonly notes: readonly string[]
}
