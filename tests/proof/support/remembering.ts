/** A `fetch` that sends each request once and repeats the reply: hundreds of runs against one reference send the same ones. */
export function remembering(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const known = new Map<string, Promise<{ status: number; headers: Headers; bytes: ArrayBuffer }>>()
  const ask = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const response = await fetch(input, init)
    return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() }
  }
  return async (input, init = {}) => {
    const { authorization } = Object.fromEntries(new Headers(init.headers))
    const key = JSON.stringify([String(input), init.method, authorization, String(init.body ?? '')])
    const answer = known.get(key) ?? ask(input, init)
    known.set(key, answer)
    const { status, headers, bytes } = await answer
    return new Response(bytes.byteLength > 0 ? bytes.slice(0) : null, { status, headers })
  }
}
