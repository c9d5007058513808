import { Hono } from 'hono'
import type { Stub } from '../../sessions/stubs.ts'
import { isObject, json, readLongJson, type SessionOf } from '../routes.ts'

/** `/_mock/stubs`: GET lists, POST adds before the others, PUT replaces, DELETE clears; each answers the list with counts. */
export function stubRoutes(sessionOf: SessionOf): Hono {
  const list = (request: Request) => json({ stubs: sessionOf(request).stubs.list() })
  const change = async (request: Request, apply: (stubs: Stub[]) => void) => {
    apply(stubsIn(await readLongJson(request)))
    return list(request)
  }
  return new Hono()
    .get('/', ({ req }) => list(req.raw))
    .post('/', ({ req }) => change(req.raw, (stubs) => sessionOf(req.raw).stubs.add(stubs)))
    .put('/', ({ req }) => change(req.raw, (stubs) => sessionOf(req.raw).stubs.replace(stubs)))
    .delete('/', ({ req }) => {
      sessionOf(req.raw).stubs.replace([])
      return list(req.raw)
    })
}

/** One stub or an array of them, or either as `{stubs}`. */
function stubsIn(body: unknown): Stub[] {
  const given = isObject(body) && 'stubs' in body ? body['stubs'] : body
  return (Array.isArray(given) ? given : [given]) as Stub[]
}
