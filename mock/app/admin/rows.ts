import { Hono } from 'hono'
import { Refusal } from '../refusal.ts'
import { RowError } from '../sessions/row-error.ts'
import type { ChangedCounts, SessionRows } from '../sessions/session-rows.ts'
import type { SessionOf } from './session-of.ts'
import { isObject, json, readLongJson } from './json.ts'

type Change = (rows: SessionRows, given: unknown) => Promise<ChangedCounts>

/**
 * `/_mock/rows`: PUT adds or replaces rows given by view, PATCH changes columns of rows that exist, DELETE removes rows by
 * their ids; a body of DELETE may be absent, and then all changes are undone. `/_mock/rows/<view>` takes the rows of one view.
 * Each answers the number of rows by view.
 */
export function rowRoutes(sessionOf: SessionOf): Hono {
  const routes = new Hono()
  const change = async (request: Request, view: string | undefined, apply: Change) => {
    const given = await readLongJson(request)
    try {
      return json({ changed: await apply(sessionOf(request).rows, byView(given, view)) })
    } catch (error) {
      if (error instanceof RowError) throw new Refusal(400, error.message)
      throw error
    }
  }
  const changes: readonly [method: string, Change][] = [
    ['PUT', (rows, given) => rows.put(given)],
    ['PATCH', (rows, given) => rows.patch(given)],
    ['DELETE', (rows, given) => rows.remove(given)],
  ]
  for (const [method, apply] of changes)
    routes.on(method, ['/', '/:view'], async ({ req }) => {
      if (method === 'DELETE' && req.raw.body === null) {
        if (req.param('view') !== undefined) throw new Refusal(400, 'Send the ids to remove as a JSON array.')
        sessionOf(req.raw).rows.reset()
        return json({ changed: {} })
      }
      return change(req.raw, req.param('view'), apply)
    })
  return routes
}

/** The rows of one view, or one row, by view. */
function byView(given: unknown, view: string | undefined): unknown {
  if (view === undefined) return isObject(given) && isObject(given['rows']) ? given['rows'] : given
  return { [view]: Array.isArray(given) ? given : [given] }
}
