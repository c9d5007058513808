/** The error of a client's fetch if the connection breaks. */
export class BrokenConnection extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' })
    super('fetch failed', { cause })
  }
}

/** @throws BrokenConnection, as fetch does, if the connection was reset before a response */
export function delivered(response: Response): Response {
  if (response.type === 'error') throw new BrokenConnection()
  return response
}

type Payload = Uint8Array | ReadableStream<Uint8Array> | null

/** The first bytes of a body, then a broken connection in place of the rest. */
export function truncated(body: Payload, afterBytes: number): ReadableStream<Uint8Array> {
  const reader = streamOf(body).getReader()
  let left = afterBytes
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = left > 0 ? await reader.read() : { done: true, value: undefined }
        if (done || value === undefined) {
          controller.error(new BrokenConnection())
          await reader.cancel()
          return
        }
        const part = value.subarray(0, left)
        left -= part.length
        controller.enqueue(part)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** A body as a stream. */
export const streamOf = (body: Payload): ReadableStream<Uint8Array> =>
  body instanceof ReadableStream
    ? body
    : new ReadableStream({
        start(controller) {
          if (body && body.length > 0) controller.enqueue(body)
          controller.close()
        },
      })
