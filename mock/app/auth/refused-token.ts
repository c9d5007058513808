import { type Answer, answerWhole, errorEnvelope } from '../answer.ts'
import { statusOf, type Settings } from '../settings.ts'
import type { TokenRefused } from './token-refused.ts'

/**
 * The answer to a refused token. The settings `auth.missing`, `auth.invalid` and `auth.expired` choose its status,
 * `auth.body` its body.
 */
export function answerRefusedToken(error: TokenRefused, settings: Settings): Answer {
  const slug = settings[`auth.${error.fault}`]
  const status = statusOf(slug)
  const { message } = error
  const headers = headersOf(slug, error)
  if (slug === '200-envelope') return errorEnvelope(status, message, headers)
  switch (settings['auth.body']) {
    case 'envelope':
      return errorEnvelope(status, message, headers)
    case 'detail':
      return answerWhole(status, JSON.stringify({ detail: message }), headers)
    case 'message':
      return answerWhole(status, JSON.stringify({ message }), headers)
    case 'error-object':
      return answerWhole(
        status,
        JSON.stringify({ error: { code: `${error.fault}_token`, message } }),
        headers,
      )
    case 'problem-json': {
      const problem = { type: 'about:blank', title: titles[status], status, detail: message }
      const type = { 'content-type': 'application/problem+json' }
      return answerWhole(status, JSON.stringify(problem), { ...headers, ...type })
    }
    case 'html': {
      const title = `${status} ${titles[status]}`
      const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${escaped(message)}</p></body></html>`
      return answerWhole(status, page, { ...headers, 'content-type': 'text/html; charset=utf-8' })
    }
    case 'empty':
      return answerWhole(status, '', headers)
  }
}

/** A challenge belongs to 401 (RFC 9110, 15.5.2), an address to a redirection. */
function headersOf(slug: string, { headers }: TokenRefused): Readonly<Record<string, string>> {
  if (slug === '401') return headers
  return slug === '302-login' ? { location: '/login' } : {}
}

const titles: Readonly<Record<number, string>> = {
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  419: 'Authentication Timeout',
}

const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
