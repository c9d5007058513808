const utf8 = new TextEncoder()

/** Headers of every answer of the endpoint. Results are never stored by caches: they depend on the token. */
export const answerHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const

/** An answer whose body is known as a whole, so that its length can be declared. */
export function answerWhole(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const bytes = utf8.encode(body)
  const all = { ...answerHeaders, 'content-length': String(bytes.length), ...headers }
  return new Response(bytes, { status, headers: all })
}

/**
 * An answer without rows: `data` empty, `status.state` error. The contract gives SQL-level errors this shape;
 * the reference server gives it to every other refusal too, so that a client reads one shape.
 */
export function errorEnvelope(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return answerWhole(status, JSON.stringify({ data: [], status: { state: 'error', message } }), headers)
}
