import type { ServerResponse } from 'node:http'
import type { Answer } from '../app/answer.ts'
import { truncated } from '../app/truncated-body.ts'

/**
 * Sends what there is to send of an answer that fails on its way: the client sees an `ECONNRESET`, or a body that ends
 * before its declared length or its last chunk. The latter connection is closed and not reset, for a reset may take
 * with it what was sent.
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
