import type { ServerResponse } from 'node:http'
import type { Answer } from '../../app/answer/answer.ts'
import { truncated } from '../../app/answer/truncated-body.ts'

/**
 * Sends an answer with an injected fault: the client gets an `ECONNRESET`, or a body that ends before its declared length or
 * its last chunk. The connection of a truncated body is closed, because a reset may discard sent bytes.
 */
export async function sendBroken(answer: Answer, outgoing: ServerResponse): Promise<void> {
  const { body, status, headers, break: failure } = answer
  if (typeof failure === 'object') {
    outgoing.writeHead(status, headers)
    outgoing.flushHeaders()
    try {
      for await (const part of truncated(body, failure.afterBytes))
        await new Promise<void>((sent) => outgoing.write(part, () => sent()))
    } catch {
      // the intended break
    }
    outgoing.socket?.destroySoon()
    return
  }
  if (body instanceof ReadableStream) await body.cancel()
  outgoing.socket?.resetAndDestroy()
}
