import { Stopped } from '../connection/http/limits.ts'
import { TransportError } from '../connection/http/transport-error.ts'

/** What ended a search before its last statement: a statement without an answer, or the end of the run. */
export interface Interruption {
  sql: string
  error: TransportError | Stopped
}

/** @throws the error itself, if it is another one */
export function interruptionBy(error: unknown, sql: string): Interruption {
  if (error instanceof TransportError || error instanceof Stopped) return { sql, error }
  throw error
}
