import { implement } from '../implement.ts'
import type { Body } from '../kinds.ts'

/** A refused token as its answer reports it. */
export interface RefusedToken {
  readonly status: number
  /** The reason phrase of the status. */
  readonly title: string
  /** `missing_token`, `invalid_token` or `expired_token`. */
  readonly code: string
  readonly message: string
}

const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The body of an answer to a refused token; undefined: the envelope. */
export const refusedTokenBody = implement<'auth.body', undefined | ((token: RefusedToken) => Body)>(
  'auth.body',
  {
    envelope: undefined,
    detail: ({ message }) => ({ text: JSON.stringify({ detail: message }) }),
    message: ({ message }) => ({ text: JSON.stringify({ message }) }),
    'error-object': ({ code, message }) => ({ text: JSON.stringify({ error: { code, message } }) }),
    'problem-json': ({ status, title, message }) => ({
      text: JSON.stringify({ type: 'about:blank', title, status, detail: message }),
      type: 'application/problem+json',
    }),
    html: ({ status, title, message }) => {
      const heading = `${status} ${title}`
      return {
        text: `<!doctype html><html><head><title>${heading}</title></head><body><h1>${heading}</h1><p>${escaped(message)}</p></body></html>`,
        type: 'text/html; charset=utf-8',
      }
    },
    empty: () => ({ text: '' }),
  },
)
