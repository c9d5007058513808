import type { Exchange } from './http/exchange.ts'
import { TransportError } from './http/transport-error.ts'

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

/** The result of a reading; undefined if the target refused one of its statements, or closed a connection at once. */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await unlessRefused(reading)
  } catch (error) {
    if (error instanceof TransportError && !error.exhausting) return undefined
    throw error
  }
}
