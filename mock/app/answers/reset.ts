import type { Answer } from '../answer.ts'

/** No answer: the connection is reset. Only the log shows the status. */
export const reset: Answer = { status: 0, headers: {}, body: null, break: 'reset' }

/** Thrown to reset the connection instead of answering. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}
