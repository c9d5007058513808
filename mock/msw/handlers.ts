import { http, type HttpHandler } from 'msw'
import { toResponse } from '../app/answer/answer.ts'
import { BrokenConnection } from '../app/answer/truncated-body.ts'
import { answerPreflight } from '../app/request/cors.ts'
import { basePatterns, matchedPath, nextMatchedPath } from './endpoint.ts'
import type { World } from './world.ts'

/**
 * The handlers of a mock or a session.
 *
 * @param worldOf finds the world that answers a request
 */
export function handlersOf(base: URL | undefined, worldOf: (request: Request) => World): HttpHandler[] {
  const handle = async ({ request }: { request: Request }): Promise<Response> => {
    // happy-dom sends preflights without the headers that make them preflights
    if (request.method === 'OPTIONS') return toResponse(answerPreflight(request.headers))
    try {
      return unpacked(await worldOf(request).answer(request))
    } catch (error) {
      // the client knows that it left; msw would print the error as an exception of the handler
      if (request.signal.aborted || error instanceof BrokenConnection) return Response.error()
      throw error
    }
  }
  return basePatterns(base).flatMap((pattern) => [
    http.all(pattern + matchedPath, handle),
    // elsewhere this path may be another service's
    http.all(pattern + nextMatchedPath, (info) =>
      worldOf(info.request).hasNextVersion(info.request.headers) ? handle(info) : undefined,
    ),
  ])
}

/** msw would unpack a body that is declared as compressed once more. */
function unpacked(response: Response): Response {
  if (response.headers.has('content-encoding')) response.headers.delete('content-encoding')
  return response
}
