import type { MiddlewareHandler } from 'hono'
import { authenticate } from '../auth/static-tokens.ts'
import { errorEnvelope, toResponse } from '../answer.ts'
import { Refusal } from '../refusal.ts'

/** Who may ask for `/_mock/*`. */
export interface AdminAccess {
  /** Bearer token that is needed for everything but `/_mock/ready`. Default: none is. */
  readonly token?: string
  /** Names, besides those of loopback, by which the server may be addressed. */
  readonly hosts?: readonly string[]
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Lets a request pass that addresses this server by one of its own names and comes from no foreign page. A page
 * of another site that rebinds its name to 127.0.0.1 still sends its own name in `Host`, and its origin in
 * `Origin`; and it can't send `application/json` without asking first. GET and HEAD change nothing, and a page can't
 * send DELETE without asking first either, so these need no content type.
 */
export function adminGuard({ token, hosts = [] }: AdminAccess): MiddlewareHandler {
  const names = new Set(hosts.map((host) => nameOf(host.includes('::') ? `[${host}]` : host)))
  const isOwn = (host: string) => loopback.test(nameOf(host)) || names.has(nameOf(host))

  return async function guardAdmin({ req }, next) {
    const origin = req.header('origin')
    // A request that never crossed a socket has no Host header: there its URL says which host was meant.
    if (!isOwn(req.header('host') ?? new URL(req.url).host))
      return refuse(403, 'This path is served under the names of this machine only, such as localhost.')
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
      return refuse(415, 'Send the header "Content-Type: application/json".')
    return next()
  }
}

/** The name in a `Host` header, without its port. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')

const refuse = (...refusal: Parameters<typeof errorEnvelope>): Response =>
  toResponse(errorEnvelope(...refusal))
