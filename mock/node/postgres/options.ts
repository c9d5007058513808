import type { EngineStatus } from '../../engine/pool/engine-status.ts'
import type { StatementEngine } from '../../statement.ts'

/** The schema of the views that `fixtures load` creates. */
export const defaultSchema = 'bioprocess'

export interface PostgresEngineOptions {
  /** `postgres://user@host1,host2/database`, see address.ts. */
  readonly url: string
  /** The schema of the nine views, in which nobody else may create anything. Default: {@link defaultSchema}. */
  readonly schema?: string
  /** Most connections. Default: 8. */
  readonly connections?: number
  /** Limit of one statement in milliseconds. Default: 30 000, as in the contract. */
  readonly timeLimitMs?: number
  /** Longest time in milliseconds that a statement waits for its reader to take rows. Default: 60 000. */
  readonly readerLimitMs?: number
  /** Receives sentences: which host answers and whether it is encrypted, hosts that are lost, what the rights permit. */
  readonly log?: (message: string) => void
}

export interface PostgresEngine extends StatementEngine {
  status(): EngineStatus
}
