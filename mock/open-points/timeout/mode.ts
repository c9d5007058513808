import { implement } from '../implement.ts'
import type { ExecuteOptions } from '../../statement.ts'

/** How a statement that runs into the time limit ends. */
export interface TimeoutMode {
  /** Options of the engine for this statement. */
  readonly limit?: Pick<ExecuteOptions, 'limitShiftMs' | 'runsOn'>
  /** The connection is reset instead of answering. */
  readonly resets?: true
}

export const timeoutMode = implement<'timeout.mode', TimeoutMode>('timeout.mode', {
  hard: {},
  'second-early': { limit: { limitShiftMs: -1000 } },
  // at most a second late, and the way to the client takes a part of it
  'second-late': { limit: { limitShiftMs: 900 } },
  reset: { resets: true },
  'runs-on': { limit: { runsOn: true } },
})
