import type { MiddlewareHandler } from 'hono'
import { authenticate } from '../auth/static-tokens.ts'
import { errorEnvelope, toResponse } from '../answer.ts'
import { Refusal } from '../refusal.ts'

/** Access to `/_mock/*`. */
export interface AdminAccess {
  /** Bearer token that everything but `/_mock/ready` requires. Default: none. */
  readonly token?: string
  /** Names of the server in addition to those of loopback. */
  readonly hosts?: readonly string[]
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Admits requests that address this server by one of its names and come from no page of another site. A page of
 * another site that rebinds its name to 127.0.0.1 still sends its own name in `Host` and its origin in `Origin`, and it
 * cannot send `application/json` without a preflight. GET and HEAD change nothing, and DELETE is never sent without a
 * preflight, so they need no content type.
 */
export function adminGuard({ token, hosts = [] }: AdminAccess): MiddlewareHandler {
  const names = new Set(hosts.map((host) => nameOf(host.includes('::') ? `[${host}]` : host)))
  const isOwn = (host: string) => loopback.test(nameOf(host)) || names.has(nameOf(host))

  return async function guardAdmin({ req }, next) {
    const origin = req.header('origin')
    // a request without a socket has no Host header, but its URL names the host
    if (!isOwn(req.header('host') ?? new URL(req.url).host))
      return refuse(403, 'This path is only served under the names of this machine, such as localhost.')
    if (origin !== undefined && !isOwn(origin.replace(/^https?:\/\//, '')))
      return refuse(403, 'This path is not served to pages of other sites.')
    if (token !== undefined && req.path !== '/_mock/ready') {
      try {
        authenticate(req.raw.headers, [token])
      } catch (error) {
        const { status, message, headers } = error as Refusal
        return refuse(status, message, headers)
      }
    }
    const isJson = /^application\/json\s*(;|$)/i.test(req.header('content-type') ?? '')
    if (!isJson && !['GET', 'HEAD', 'DELETE'].includes(req.method))
      return refuse(415, 'The body must be JSON. Send the header "Content-Type: application/json".')
    return next()
  }
}

/** The name in a `Host` header, without its port. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')

const refuse = (...refusal: Parameters<typeof errorEnvelope>): Response =>
  toResponse(errorEnvelope(...refusal))
