import { Hono } from 'hono'
import { answerWhole, toResponse } from '../../answer/answer.ts'
import { FaultError } from '../../faults/fault.ts'
import type { FaultList } from '../../faults/faults.ts'
import { readShortBody } from '../../request/limits.ts'
import type { SessionOf } from '../routes.ts'

/** `/_mock/faults`: GET lists, PUT replaces, POST adds, DELETE clears; each answers the list with its counts. */
export function createFaultRoutes(sessionOf: SessionOf): Hono {
  const routes = new Hono()
  const faultsOf = (request: Request) => sessionOf(request).faults
  const list = (request: Request) =>
    toResponse(answerWhole(200, JSON.stringify({ faults: faultsOf(request).list() })))
  const change = async (request: Request, apply: (given: FaultList) => void) => {
    apply(listIn(await readShortBody(request)))
    return list(request)
  }
  return routes
    .get('/', ({ req }) => list(req.raw))
    .put('/', ({ req }) => change(req.raw, (given) => faultsOf(req.raw).replace(given)))
    .post('/', ({ req }) => change(req.raw, (given) => faultsOf(req.raw).add(given)))
    .delete('/', ({ req }) => {
      faultsOf(req.raw).clear()
      return list(req.raw)
    })
}

/** One fault or an array of them, as text or objects, or either as `{faults}`. */
function listIn(body: string): FaultList {
  let given: unknown
  try {
    given = JSON.parse(body)
  } catch {
    throw new FaultError('The body is not JSON. Send {"faults": ["status:503,rate=0.2"]}.')
  }
  if (typeof given === 'object' && given !== null && 'faults' in given) given = given.faults
  return (Array.isArray(given) ? given : [given]) as FaultList
}
