/** A body is longer than allowed. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/**
 * The text of an answer.
 *
 * @param most bytes to read, decompressed
 * @throws TooLong after these; the rest is not read
 */
export async function readText(response: Response, most: number): Promise<string> {
  // a fetch of the caller's own may have no stream
  if (!response.body) return response.text()
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > most) {
      reader.cancel().catch(() => {})
      throw new TooLong(`more than ${most} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
