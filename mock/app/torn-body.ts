/** The body of an answer: bytes where all of them are there. */
export type Body = Uint8Array | ReadableStream<Uint8Array> | null

/** What a client's fetch fails with when the connection breaks. */
export class BrokenConnection extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' })
    super('fetch failed', { cause })
  }
}

/** @throws BrokenConnection, as a fetch does, where the connection was reset before there was a response */
export function delivered(response: Response): Response {
  if (response.type === 'error') throw new BrokenConnection()
  return response
}

/** The first bytes of a body and then, in place of the rest, a broken connection. */
export function tornBody(body: Body, afterBytes: number): ReadableStream<Uint8Array> {
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

const streamOf = (body: Body): ReadableStream<Uint8Array> =>
  body instanceof ReadableStream
    ? body
    : new ReadableStream({
        start(controller) {
          if (body && body.length > 0) controller.enqueue(body)
          controller.close()
        },
      })
