import type { Context } from 'hono'
import { type AdminAccess, hostOf, ownNames } from './guard.ts'
import { json } from './routes.ts'

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
