import type { Exchange } from './exchange.ts'

/** Thrown when what a check needs is not there; the runner reports the reason. */
export class NotExercised extends Error {
  readonly exchanges: Exchange[]
  constructor(reason: string, ...exchanges: Exchange[]) {
    super(reason)
    this.exchanges = exchanges
  }
}
