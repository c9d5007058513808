import { ordinaryMemory } from '../../engine/memory/mapped-memory.ts'
import type { Body } from '../../open-points/kinds.ts'
import { truncated } from './truncated-body.ts'

/** An answer before an adapter makes a Response of it or writes it to a socket. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Bytes if the body is complete. */
  readonly body: Uint8Array | ReadableStream<Uint8Array> | null
  /**
   * How the delivery fails: the connection is reset before the answer, or closed after this many bytes of the body in
   * spite of its declared length. The adapter does it.
   */
  readonly break?: 'reset' | { readonly afterBytes: number }
  /** Whether the body is compressed for clients that accept it. Default: the adapter decides. */
  readonly gzip?: boolean
}

const utf8 = new TextEncoder()

/** Headers of every answer of the endpoint. Results are never stored by caches: they depend on the token. */
export const answerHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const

/** An answer with a complete body, whose length is declared. */
export function answerWhole(
  status: number,
  body: string | Uint8Array,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const bytes = typeof body === 'string' ? utf8.encode(body) : body
  // V8 takes ten times as long to add a property to `{ ...answerHeaders }`
  const all = Object.assign({ 'content-length': String(bytes.length) }, answerHeaders, headers)
  return { status, headers: all, body: bytes }
}

/** An answer with a body that is not the envelope. */
export const answerBody = (
  status: number,
  { text, type }: Body,
  headers: Readonly<Record<string, string>> = {},
): Answer => answerWhole(status, text, type === undefined ? headers : { ...headers, 'content-type': type })

/**
 * An answer without rows: `data` empty, `status.state` error. The contract gives SQL-level errors this shape; the
 * reference server uses it for every other refusal too, so that a client reads one shape.
 */
export function errorEnvelope(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return answerWhole(status, JSON.stringify({ data: [], status: { state: 'error', message } }), headers)
}

/**
 * The answer as `fetch` returns it: a compressed body is already unpacked and keeps only its header, a reset connection
 * is `Response.error()`, and a connection that breaks later makes reading the body fail.
 */
export function toResponse({ body, status, headers, break: failure, gzip }: Answer): Response {
  if (failure === 'reset') return Response.error()
  const sent = failure === undefined ? accepted(body) : truncated(body, failure.afterBytes)
  const all = gzip ? { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : headers
  return new Response(sent as ConstructorParameters<typeof Response>[0], { status, headers: all })
}

/** A body that a Response takes. */
const accepted = (body: Answer['body']): Answer['body'] =>
  body instanceof ReadableStream ? body : body && ordinaryMemory(body)

export const fromResponse = ({ body, status, headers }: Response): Answer => ({
  status,
  headers: Object.fromEntries(headers),
  body: body as ReadableStream<Uint8Array> | null,
})
