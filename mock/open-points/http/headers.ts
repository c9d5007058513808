import { digest } from '../../../base/random/hash.ts'
import { implement } from '../implement.ts'

type Payload = Uint8Array | ReadableStream<Uint8Array> | null

/** How an answer is compressed, and its headers for CORS and caching. */
export interface AnswerHeaders {
  readonly gzip: boolean
  readonly headers: (body: Payload) => Readonly<Record<string, string>>
}

/** The tag of a body that is complete; a stream of rows gets one that never repeats. */
function tagOf(body: Payload): string {
  if (body instanceof ReadableStream) return `W/"${Math.random().toString(36).slice(2)}"`
  return `"${digest(new TextDecoder().decode(body ?? undefined))}"`
}

/** The headers that replace `cache-control: no-store`; undefined: it stays. */
export const answerHeaders = implement<'http.headers', AnswerHeaders | undefined>('http.headers', {
  'no-store': undefined,
  none: { gzip: false, headers: () => ({}) },
  gzip: { gzip: true, headers: () => ({}) },
  cors: {
    gzip: false,
    headers: () => ({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type',
    }),
  },
  etag: { gzip: false, headers: (body) => ({ etag: tagOf(body) }) },
})
