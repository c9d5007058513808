import type { Call } from '../app/request/call.ts'
import { sessionHeader } from '../app/sessions/sessions.ts'
import { servedUrl } from './endpoint.ts'

/** The request as the server gets it. Only what the server reads of one, its body in one piece. */
export function callOf(request: Request, body: Uint8Array<ArrayBuffer>, base: URL | undefined): Call {
  const { method, signal } = request
  const url = servedUrl(request.url, base)
  const headers = headersOf(request)
  const arrayBuffer = async () => body.buffer
  const toRequest = () => new Request(url, { method, headers, signal, ...(body.length > 0 && { body }) })
  return { url, method, headers, signal, body: [body], arrayBuffer, toRequest }
}

/** No origin is foreign to a mock, so every request is one of a page. The mock has found the session. */
function headersOf(request: Request): Headers {
  // msw patches the copy of a Headers object, which then lacks what the Request itself added or replaced
  const headers = new Headers([...request.headers])
  if (!headers.has('origin')) headers.set('origin', 'null')
  headers.delete(sessionHeader)
  return headers
}
