/**
 * The data of each event of a stream. `EventSource` sends no headers, and this page has a token to send.
 *
 * @param body of an answer of the type `text/event-stream`
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (rest + value).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        const data = part
          .split('\n')
          .flatMap((line) => (line.startsWith('data:') ? line.slice(5).trimStart() : []))
        if (data.length > 0) yield data.join('\n')
      }
    }
  } finally {
    await reader.cancel()
  }
}
