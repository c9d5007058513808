import type { Exchange } from './exchange.ts'

/** Thrown when a check lacks a precondition. The report contains the reason. */
export class NotExercised extends Error {
  readonly exchanges: Exchange[]
  constructor(reason: string, ...exchanges: Exchange[]) {
    super(reason)
    this.exchanges = exchanges
  }
}

/** The result of a reading; undefined if the target refused one of its statements. */
export async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof NotExercised) return undefined
    throw error
  }
}
