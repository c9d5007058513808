import type { PlainSqlError } from '../../../engine/pool/plain-error.ts'
import type { Admitted } from './admitted.ts'

/** The first message of the thread: it has loaded the parser. */
export const ready = 'ready'

/** The gate takes the next statement once it has replied. */
export interface GateReply {
  readonly admitted?: readonly Admitted[]
  readonly refused?: PlainSqlError
  /** Whether the thread has to be replaced. */
  readonly isBroken: boolean
}
