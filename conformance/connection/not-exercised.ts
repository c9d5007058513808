import type { Exchange } from './exchange.ts'

/** Thrown when a check lacks what it needs; the run reports the reason. */
export class NotExercised extends Error {
  readonly exchanges: Exchange[]
  constructor(reason: string, ...exchanges: Exchange[]) {
    super(reason)
    this.exchanges = exchanges
  }
}

/** What was read; undefined if the target refused a statement that the reading needs. */
export async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof NotExercised) return undefined
    throw error
  }
}
