import { digest } from '../../../fixtures/random/hash.ts'
import type { Answer } from '../answer.ts'
import type { Settings } from '../settings.ts'

/** Gives an answer the headers for compression, CORS or caching that a variant stands for, and no other of them. */
export function withHeaders(answer: Answer, headers: Settings['http.headers']): Answer {
  if (headers === 'no-store' || answer.break === 'reset') return answer
  const { 'cache-control': _, ...bare } = answer.headers
  switch (headers) {
    case 'none':
      return { ...answer, headers: bare, gzip: false }
    case 'gzip':
      return { ...answer, headers: bare, gzip: true }
    case 'cors':
      return { ...answer, headers: { ...bare, ...openToAll }, gzip: false }
    case 'etag':
      return { ...answer, headers: { ...bare, etag: tagOf(answer.body) }, gzip: false }
  }
}

const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Content-Type',
}

/** The digest of a body; a stream of rows gets a tag that never comes again. */
function tagOf(body: Answer['body']): string {
  if (body instanceof ReadableStream) return `W/"${Math.random().toString(36).slice(2)}"`
  return `"${digest(new TextDecoder().decode(body ?? undefined))}"`
}
