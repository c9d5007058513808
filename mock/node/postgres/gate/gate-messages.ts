import type { PlainSqlError } from '../../../engine/pool/plain-error.ts'
import type { Admitted, Asked } from './admitted.ts'

/** The first message of the thread: it has loaded the parser. */
export const ready = 'ready'

/** A statement for the gate, which takes the next one once it has replied. */
export type GateRequest = Asked

export interface GateReply {
  readonly admitted?: readonly Admitted[]
  readonly refused?: PlainSqlError
  /** Whether the thread has to be replaced. */
  readonly isBroken: boolean
}
