import { Hono } from 'hono'
import { Refusal } from '../../answer/refusal.ts'
import type { ChangedCounts, SessionRows } from '../../../rows/session-rows.ts'
import { isObject, json, readLongJson, type SessionOf } from '../routes.ts'

type Change = (rows: SessionRows, given: unknown, signal: AbortSignal) => Promise<ChangedCounts>

/**
 * `/_mock/rows`: PUT adds or replaces rows given by view, PATCH changes columns of rows that exist, DELETE removes rows by
 * their ids; without a body, DELETE undoes all changes. `/_mock/rows/<view>` takes the rows of one view.
 * Each answers the number of rows by view.
 */
export function rowRoutes(sessionOf: SessionOf): Hono {
  const routes = new Hono()
  const changes: readonly [method: string, Change][] = [
    ['PUT', (rows, ...given) => rows.put(...given)],
    ['PATCH', (rows, ...given) => rows.patch(...given)],
    ['DELETE', (rows, ...given) => rows.remove(...given)],
  ]
  for (const [method, apply] of changes)
    routes.on(method, ['/', '/:view'], async ({ req }) => {
      const given = await readLongJson(req.raw)
      const view = req.param('view')
      if (given !== undefined)
        return json({ changed: await apply(sessionOf(req.raw).rows, byView(given, view), req.raw.signal) })
      if (method !== 'DELETE') throw new Refusal(400, 'The body is empty. Send rows as JSON.')
      if (view !== undefined) throw new Refusal(400, 'Send the ids to remove as a JSON array.')
      sessionOf(req.raw).rows.reset()
      return json({ changed: {} })
    })
  return routes
}

/** The rows of one view, or one row, by view. */
function byView(given: unknown, view: string | undefined): unknown {
  if (view === undefined) return isObject(given) && isObject(given['rows']) ? given['rows'] : given
  return { [view]: Array.isArray(given) ? given : [given] }
}
