import type { Wear } from './protocol.ts'

/** Why an engine's thread ended; `crash`: nobody asked it to. */
export type Ending = Wear | 'deadline' | 'client-left' | 'reader-stalled' | 'crash' | 'surplus' | 'closing'

/** What the log says about an engine that ended; nothing where the line of its statement says it already. */
export function explainEnding(ending: Ending, reason: unknown): string | undefined {
  switch (ending) {
    case 'crash':
      return `An engine ended unexpectedly and is replaced. ${(reason as Error).message}`
    case 'poison':
      return 'An engine was broken by its statement and is replaced.'
    case 'memory':
      return 'An engine had grown past its memory and is replaced.'
    default:
      return undefined
  }
}
