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

/** A copy of the first bytes of a body, which stays valid. The stream then breaks with a BrokenConnection, or ends like a complete body. */
export function truncated(
  body: Payload,
  bytes: number,
  end: 'broken' | 'complete' = 'broken',
): ReadableStream<Uint8Array> {
  const reader = streamOf(body).getReader()
  let left = bytes
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = left > 0 ? await reader.read() : {}
        if (value === undefined) {
          if (end === 'broken') controller.error(new BrokenConnection())
          else controller.close()
          await reader.cancel(new Error('The body was truncated.'))
          return
        }
        const part = value.slice(0, left)
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
