import type { Rejection } from '../../open-points/kinds.ts'
import { SqlError } from '../../statement.ts'
import type { Answer } from './answer.ts'
import { Refusal } from './refusal.ts'

/** Thrown to reset the connection instead of answering. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}

/** No answer: the connection is reset. Only the log shows the status. */
export const reset: Answer = { status: 0, headers: {}, body: null, break: 'reset' }

/** The error that rejects a request in one of the ways that a setting chooses. */
export function rejected(how: Rejection, message: string): Error {
  if (how === 'reset') return new ConnectionReset(message)
  return how === 'failed-statement' ? new SqlError('other', message, '54000') : new Refusal(how, message)
}
