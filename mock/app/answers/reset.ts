import type { Answer } from '../answer.ts'

/** No answer: the connection is broken off. Its status stands in the log alone. */
export const reset: Answer = { status: 0, headers: {}, body: null, break: 'reset' }

/** A request is not worth an answer: a variant breaks the connection off. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}
