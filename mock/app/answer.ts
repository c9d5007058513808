import { truncated, type Body } from './truncated-body.ts'

/** What is answered, before an adapter makes a Response of it or writes it to a socket. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /**
   * How the answer fails on its way: the connection is reset before any of it, or after so many bytes of the body,
   * the declared length notwithstanding. Whoever delivers the answer sees to it.
   */
  readonly break?: 'reset' | { readonly afterBytes: number }
  /** Whether the body travels compressed where the client accepts it. Default: as whoever delivers it sees fit. */
  readonly gzip?: boolean
}

const utf8 = new TextEncoder()

/** Headers of every answer of the endpoint. Results are never stored by caches: they depend on the token. */
export const answerHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const

/** An answer whose body is known as a whole, so that its length can be declared. */
export function answerWhole(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const bytes = typeof body === 'string' ? utf8.encode(body) : body
  return {
    status,
    headers: { ...answerHeaders, 'content-length': String(bytes.length), ...headers },
    body: bytes,
  }
}

/**
 * An answer without rows: `data` empty, `status.state` error. The contract gives SQL-level errors this shape;
 * the reference server gives it to every other refusal too, so that a client reads one shape.
 */
export function errorEnvelope(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return answerWhole(status, JSON.stringify({ data: [], status: { state: 'error', message } }), headers)
}

/**
 * The answer as a fetch hands it over: a compressed body is unpacked already and only its header tells of it; a
 * connection that was reset is `Response.error()`, and one that breaks later makes the reading of the body fail.
 */
export function toResponse({ body, status, headers, break: fault, gzip }: Answer): Response {
  if (fault === 'reset') return Response.error()
  const sent = fault === undefined ? body : truncated(body, fault.afterBytes)
  const told = gzip ? { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : headers
  return new Response(sent as ConstructorParameters<typeof Response>[0], { status, headers: told })
}

export const fromResponse = ({ body, status, headers }: Response): Answer => ({
  status,
  headers: Object.fromEntries(headers),
  body: body as ReadableStream<Uint8Array> | null,
})
