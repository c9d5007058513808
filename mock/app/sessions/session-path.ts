import { sessionHeader } from './sessions.ts'

/** The id of the session that a path names, as in `/s/worker-1/_mock/rows`, and the path without it. */
export function splitSession(pathname: string, basePath: string): [id: string | undefined, pathname: string] {
  const start = `${basePath}/s/`
  if (!pathname.startsWith(start)) return [undefined, pathname]
  const rest = pathname.slice(start.length)
  const end = `${rest}/`.indexOf('/')
  const path = rest.slice(end)
  return [rest.slice(0, end), path.startsWith('/_mock/') ? path : basePath + path]
}

/** The request at another path, with the session in its header. */
export function movedTo(request: Request, pathname: string, session: string): Request {
  const url = new URL(request.url)
  url.pathname = pathname
  const moved = new Request(url, request)
  moved.headers.set(sessionHeader, session)
  return moved
}
