import type { Exchange } from './exchange.ts'

/** Thrown when what a check needs is not there; the runner reports the reason. */
export class NotExercised extends Error {
  readonly exchanges: Exchange[]
  constructor(reason: string, ...exchanges: Exchange[]) {
    super(reason)
    this.exchanges = exchanges
  }
}

/** What was read, or undefined where the target refused a statement that reading takes. */
export async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof NotExercised) return undefined
    throw error
  }
}
