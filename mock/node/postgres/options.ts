import type { EngineStatus } from '../../engine/pool/engine-status.ts'
import type { StatementEngine } from '../../statement.ts'
import type { LiveOptions } from '../pglite/live-plant.ts'

export interface PostgresEngineOptions {
  /** `postgres://user@host1,host2/database`, see address.ts. */
  readonly url: string
  /** The schema of the nine views. Default: public. */
  readonly schema?: string
  /** The URL of the primary and of the owner of the tables, who writes the changes of a live plant. */
  readonly owner?: string
  /** The version of this package, which must be the one that loaded a live plant. Default: any. */
  readonly version?: string
  /** Advances the time of the plant, if no other server does. Needs `owner`. Default: time stands still. */
  readonly live?: LiveOptions
  /** Most connections to each host, beside one that watches it. Default: 8. */
  readonly connections?: number
  /** Limit of one statement in milliseconds. Default: 30 000, as in the contract. */
  readonly timeLimitMs?: number
  /** Longest time in milliseconds that a statement waits for its reader to take rows. Default: 60 000. */
  readonly readerLimitMs?: number
  /** Receives sentences: what the rights deny, hosts that are lost and answer again. */
  readonly log?: (message: string) => void
}

export interface PostgresEngine extends StatementEngine {
  status(): EngineStatus
  /** The time of a live plant, ISO 8601; undefined if this server does not advance it. */
  plantTime(): string | undefined
}
