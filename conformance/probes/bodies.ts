import { isObject } from '../connection/json.ts'
import type { Reply } from '../connection/reply.ts'

/** What kind of body a refusal has, by the names that the register uses; undefined for any other. */
export function bodyKind({ envelope, json, exchange }: Reply): string | undefined {
  const { headers, text } = exchange.response!
  const type = headers.get('content-type') ?? ''
  if (text.trim() === '') return 'empty'
  if (type.includes('problem+json')) return 'problem-json'
  if (envelope) return 'envelope'
  if (json === undefined)
    return /html/i.test(type) || /^\s*<(!doctype )?html/i.test(text) ? 'html' : undefined
  if (!isObject(json)) return undefined
  if ('detail' in json) return 'detail'
  if (isObject(json['error'])) return 'error-object'
  return 'message' in json ? 'message' : undefined
}

/** The status of a refusal; that of an envelope with state error is told by itself. */
export const refusalKind = ({ status, envelope }: Reply): string =>
  status === 200 && envelope ? '200-envelope' : String(status)
