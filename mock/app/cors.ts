import type { Answer } from './answer.ts'

type Handler<Where extends unknown[]> = (request: Request, ...where: Where) => Promise<Answer>

/**
 * Lets pages of any origin use an endpoint (CORS, in the Fetch standard): what protects it is the token, which no
 * browser adds by itself. Requests without an `Origin` are answered as if this were not here.
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

/** Any origin, without credentials: an answer that does not name the origin fits every one. */
const anyOrigin = { 'access-control-allow-origin': '*' } as const

const readable = (answer: Answer): Answer => ({
  ...answer,
  headers: {
    ...answer.headers,
    ...anyOrigin,
    'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
  },
})

/**
 * Asked by a browser ahead of the request, without a token. Whatever headers the page wants to send it may: `*` would
 * leave out `Authorization`, and tracing libraries add headers of their own. Chromium asks once more for a page of a
 * public address (Private Network Access).
 */
function answerPreflight(headers: Headers): Answer {
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
