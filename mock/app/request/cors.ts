import type { Answer } from '../answer/answer.ts'
import type { Call, RequestHeaders } from './call.ts'

type Handler<Where extends unknown[]> = (request: Call, ...where: Where) => Promise<Answer>

/**
 * Lets pages of any origin use an endpoint (CORS, in the Fetch standard): the token protects it, and no browser adds a
 * token by itself. Requests without an `Origin` are not affected.
 */
export function withCors<Where extends unknown[]>(handler: Handler<Where>): Handler<Where> {
  return (request, ...where) => {
    const { headers, method } = request
    if (!headers.has('origin')) return handler(request, ...where)
    if (method === 'OPTIONS' && headers.has('access-control-request-method'))
      return Promise.resolve(answerPreflight(headers))
    return handler(request, ...where).then(readable)
  }
}

/** Any origin, without credentials: the answer names no origin, so it is right for all of them. */
const anyOrigin = { 'access-control-allow-origin': '*' } as const

/** The answer with the headers by which pages of any origin may read it. */
export const readable = (answer: Answer): Answer => ({
  ...answer,
  headers: {
    ...answer.headers,
    ...anyOrigin,
    'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
  },
})

/**
 * The answer to a preflight, which a browser sends before the request and without a token. Permits all headers that the
 * page asks for: `*` would exclude `Authorization`, and tracing libraries add headers of their own. Chromium also asks
 * for access from a public address (Private Network Access).
 */
export function answerPreflight(headers: RequestHeaders): Answer {
  return {
    status: 204,
    headers: {
      ...anyOrigin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        headers.get('access-control-request-headers') ?? 'authorization, content-type',
      'access-control-max-age': '600',
      ...(headers.get('access-control-request-private-network') === 'true' && {
        'access-control-allow-private-network': 'true',
      }),
    },
    body: null,
  }
}
