import type { Context, MiddlewareHandler } from 'hono'
import { json } from './routes.ts'
import { authenticate } from '../auth/static-tokens.ts'
import { errorEnvelope, toResponse } from '../answer/answer.ts'
import { Refusal } from '../answer/refusal.ts'

/** Access to `/_mock/*`. */
export interface AdminAccess {
  /** Bearer token that everything but `/_mock/ready` requires. Default: none. */
  readonly token?: string
  /** Names of the server in addition to those of loopback. */
  readonly hosts?: readonly string[]
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a host, with or without a port, is a name of this server. */
export function ownNames({ hosts = [] }: AdminAccess): (host: string) => boolean {
  const names = new Set(hosts.map((host) => nameOf(host.includes('::') ? `[${host}]` : host)))
  return (host) => loopback.test(nameOf(host)) || names.has(nameOf(host))
}

/** The host that a request addresses. One without a socket has no Host header, but its URL names the host. */
export const hostOf = ({ headers, url }: Request): string => headers.get('host') ?? new URL(url).host

/**
 * Admits requests that address this server by one of its names and come from no page of another site. A page of
 * another site that rebinds its name to 127.0.0.1 still sends its own name in `Host` and its origin in `Origin`, and it
 * cannot send `application/json` without a preflight. A page of another port has another origin too. GET and HEAD change
 * nothing, and DELETE is never sent without a preflight, so they need no content type. An image or a link has no `Origin`, but tells its site in `Sec-Fetch-Site`; the page
 * of the server may be opened by a link.
 */
export function adminGuard(access: AdminAccess): MiddlewareHandler {
  const { token } = access
  const isOwn = ownNames(access)

  return async function guardAdmin({ req }, next) {
    const origin = req.header('origin')?.replace(/^https?:\/\//, '')
    const site = req.header('sec-fetch-site') ?? 'none'
    const host = hostOf(req.raw)
    if (!isOwn(host))
      return refuse(403, 'This path is only served under the names of this machine, such as localhost.')
    const isOfOtherSite = req.path.startsWith('/_mock/') && site !== 'none' && site !== 'same-origin'
    // a proxy may have changed the host of a page that its browser knows as ours
    const isOwnPage = origin === undefined || origin === host || (site === 'same-origin' && isOwn(origin))
    if (isOfOtherSite || !isOwnPage) return refuse(403, 'This path is not served to pages of other sites.')
    if (token !== undefined) {
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

/**
 * `/_mock/ready`: 200 or 503. Balancers ask with OPTIONS or GET, with any host or none, and without a token. Only who names the
 * server is told the time of the plant.
 *
 * @param now the time of a live plant, ISO 8601
 */
export function readyRoute(
  access: AdminAccess,
  isReady: () => boolean,
  now: () => string | undefined,
): (c: Context) => Response {
  const isOwn = ownNames(access)
  return ({ req }) => {
    const [ready, time] = [isReady(), isOwn(hostOf(req.raw)) ? now() : undefined]
    return json({ ready, ...(time !== undefined && { now: time }) }, ready ? 200 : 503)
  }
}
