import { Hono } from 'hono'
import type { FaultList } from '../../faults/faults.ts'
import { isObject, json, readJson, type SessionOf } from '../routes.ts'

/** `/_mock/faults`: GET lists, PUT replaces, POST adds, DELETE clears, also one by `?fault=`; each answers the list with its counts. */
export function createFaultRoutes(sessionOf: SessionOf): Hono {
  const routes = new Hono()
  const faultsOf = (request: Request) => sessionOf(request).faults
  const list = (request: Request) => json({ faults: faultsOf(request).list() })
  const change = async (request: Request, apply: (given: FaultList) => void) => {
    apply(listIn(await readJson(request, ' Send {"faults": ["status:503,rate=0.2"]}.')))
    return list(request)
  }
  return routes
    .get('/', ({ req }) => list(req.raw))
    .put('/', ({ req }) => change(req.raw, (given) => faultsOf(req.raw).replace(given)))
    .post('/', ({ req }) => change(req.raw, (given) => faultsOf(req.raw).add(given)))
    .delete('/', ({ req }) => {
      faultsOf(req.raw).clear(req.query('fault'))
      return list(req.raw)
    })
}

/** One fault or an array of them, as text or objects, or either as `{faults}`. */
function listIn(body: unknown): FaultList {
  const given = isObject(body) && 'faults' in body ? body['faults'] : body
  return (Array.isArray(given) ? given : [given]) as FaultList
}
