import type { ReplacementReason } from './protocol.ts'

/** Why the thread of an engine ended. `crash`: it ended unexpectedly; `set-back`: its slow statement waits for another. */
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
