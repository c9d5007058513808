import { PLAIN_STATEMENT } from '../connection/http/client.ts'
import { isServed, type Reply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'
import { TransportError, Unserved } from '../connection/http/transport-error.ts'

/**
 * The reply to a request, or the second error of a target that closes the connection twice, but serves a plain statement in
 * between: then the request itself is the reason.
 *
 * @throws TransportError when anything else prevents a reply
 */
export async function replyOrClosure(t: Target, ask: () => Promise<Reply>): Promise<Reply | TransportError> {
  try {
    return await ask()
  } catch (error) {
    if (!isClosure(error) || !(await isServed(t.query(PLAIN_STATEMENT)))) throw error
    return ask().catch((second: unknown) => {
      if (isClosure(second)) return second
      throw second
    })
  }
}

const isClosure = (error: unknown): error is TransportError =>
  error instanceof TransportError && !error.exhausting && !(error instanceof Unserved)
