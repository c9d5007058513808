import type { Micros } from '../../../base/time/micros.ts'
import type { Artifacts } from '../snapshot/artifacts.ts'
import type { ChangeStep } from '../views/change.ts'
import type { EngineSettings, Overlay } from '../../statement.ts'
import type { PlainSqlError } from './plain-error.ts'

/** A message from the main thread to the thread of an engine. */
export type Request =
  | {
      readonly type: 'boot'
      readonly snapshot: Uint8Array
      readonly artifacts: Artifacts
      readonly steps?: readonly ChangeStep[]
    }
  | {
      readonly type: 'run'
      /** Ascending; names the statement in later messages. */
      readonly number: number
      readonly statement: string
      readonly settings?: EngineSettings
      /** The id of an overlay. */
      readonly overlay?: string
      /** The time that the statement is told, microseconds since 1970. Default: the real time. */
      readonly now?: Micros
    }
  /** Adds changes to an overlay; later statements with its id see them. */
  | { readonly type: 'overlay'; readonly overlay: Overlay }
  /** No statement will use the overlay again. */
  | { readonly type: 'drop-overlay'; readonly id: string }
  /** Changes the data; later statements see the change. */
  | { readonly type: 'apply'; readonly steps: readonly ChangeStep[] }
  /** The reader took a page: the engine may send one more. */
  | { readonly type: 'more'; readonly number: number }
  /** Nobody reads the rows any more. */
  | { readonly type: 'stop'; readonly number: number }

/** A message from the thread of an engine. After a message with `final`, it runs the next statement. */
export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'unfit'; readonly message: string }
  | { readonly type: 'applied' }
  /** The engine has the changes of the overlay of the next statement. */
  | { readonly type: 'overlaid' }
  | {
      readonly type: 'page'
      /** The names of the columns, with the first page. */
      readonly columns?: readonly string[]
      readonly chunks: readonly Uint8Array[]
      readonly final?: Final
    }
  | { readonly type: 'failed'; readonly error: PlainSqlError; readonly final: Final }
  | { readonly type: 'stopped'; readonly final: Final }

/** The end of a statement. */
export interface Final {
  /** Why the engine must be replaced; undefined if it may run another statement. */
  readonly replace?: ReplacementReason
}

/** The statement broke the engine (`poison`), or made its memory grow too much; the memory never shrinks. */
export type ReplacementReason = 'poison' | 'memory'

/** Number of pages that an engine may send before the first `more`. */
export const initialCredit = 2

/** Why the thread of an engine ended. `crash`: it ended unexpectedly; `set-back`: its statement waits, because another owner had none. */
export type Ending =
  | ReplacementReason
  | 'deadline'
  | 'set-back'
  | 'client-left'
  | 'reader-stalled'
  | 'crash'
  | 'surplus'
  | 'closing'

/** The log line of an engine that ended; undefined if the line of its statement already explains it. */
export function explainEnding(ending: Ending, reason: unknown): string | undefined {
  switch (ending) {
    case 'crash':
      return `An engine ended unexpectedly and is replaced. ${(reason as Error).message}`
    case 'poison':
      return 'An engine is replaced because its statement broke it.'
    case 'memory':
      return 'An engine is replaced because it used too much memory.'
    default:
      return undefined
  }
}
