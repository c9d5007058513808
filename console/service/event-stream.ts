/** The lines of a body as they arrive; a last one without an end is left out. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    await reader.cancel()
  }
}

/**
 * The data of each event of a stream, which the server writes in one line. `EventSource` sends no headers, and this page has a
 * token to send.
 *
 * @param body of an answer of the type `text/event-stream`
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const line of linesOf(body)) if (line.startsWith('data:')) yield line.slice(5).trimStart()
}
