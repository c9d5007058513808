import type { PlainSqlError } from '../../../engine/pool/plain-error.ts'
import type { EngineSettings } from '../../../statement.ts'
import type { Admitted } from './admitted.ts'

/** The first message of the thread: it has loaded the parser. */
export const ready = 'ready'

/** A statement for the gate, which takes the next one once it has replied. */
export interface GateRequest {
  readonly statement: string
  readonly settings: EngineSettings
  /** The schema of the views. */
  readonly schema: string
  /** The columns that the views have beyond the contract. */
  readonly columns: readonly string[]
}

export interface GateReply {
  readonly admitted?: readonly Admitted[]
  readonly refused?: PlainSqlError
  /** Whether the thread has to be replaced. */
  readonly isBroken: boolean
}
