import type { FetchImplementation } from 'jose'

/** Longest key set in bytes, unpacked: real ones have a few kilobytes. */
const maxBytes = 1_048_576

/**
 * Fetches a key set and reads it to its end, for jose. The signal ends the reading too: a compressed body that is cut off
 * while it is unpacked may never settle by itself, and jose waits for it with every later token.
 *
 * @returns the response with its body in memory
 * @throws the reason of the signal; Error for a body of more than 1 MiB, or one that cannot be read
 */
export const fetchKeySet: FetchImplementation = async (url, options) => {
  const stop = new AbortController()
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error))
  })
  options.signal.addEventListener('abort', () => stop.abort(options.signal.reason))
  try {
    return await Promise.race([readWhole(url, { ...options, signal: stop.signal }), stopped])
  } finally {
    // closes the connection of a body that is not read to its end
    stop.abort()
  }
}

async function readWhole(url: string, options: RequestInit): Promise<Response> {
  const { status, body } = await fetch(url, options)
  const reader = body?.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (let value; (value = (await reader?.read())?.value);) {
    length += value.length
    if (length > maxBytes) throw new Error('The key set is longer than 1 MiB.')
    chunks.push(value)
  }
  return new Response(new Blob(chunks), { status })
}
