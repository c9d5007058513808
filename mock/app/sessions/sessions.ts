import { Refusal } from '../answer/refusal.ts'
import type { MockSession } from './mock-session.ts'

/** Most sessions besides the common one. */
const mostSessions = 256

/** A session that nobody used for this time may be ended for another one, in milliseconds. */
const idleMs = 600_000

/** Without `.` and `..`, which whoever parses a URL takes out of its path. */
const validId = /^(?!\.{1,2}$)[\w.-]{1,64}$/

/** The header that names a session. */
export const sessionHeader = 'x-mock-session'

/** The sessions of a server. Their number is bounded; a session begins with its first use. */
export class Sessions {
  readonly common: MockSession
  readonly #create: (id: string) => MockSession
  readonly #now: () => number
  /** The least recently used one first. */
  readonly #sessions = new Map<string, { readonly session: MockSession; usedAt: number }>()
  /** Sessions that are not kept, and the number of requests that wait for what happens in them. */
  readonly #awaited = new Map<string, { readonly session: MockSession; waiting: number }>()

  /**
   * @param create makes a session
   * @param now milliseconds of a clock that never goes back
   */
  constructor(create: (id: string) => MockSession, now = () => performance.now()) {
    this.common = create('')
    this.#create = create
    this.#now = now
  }

  /**
   * The session with this id, or the common one for null. A new session is not kept before {@link keep}, so that a stranger
   * cannot use them up.
   *
   * @throws Refusal 400 for an invalid id
   */
  find(id: string | null): MockSession {
    if (id === null) return this.common
    const found = this.#sessions.get(checkedId(id)) ?? this.#awaited.get(id)
    return found?.session ?? this.#create(id)
  }

  /**
   * Keeps a session.
   *
   * @returns the kept session of this id, which another request may have begun meanwhile
   * @throws Refusal 429 if there are too many
   */
  keep(session: MockSession): MockSession {
    if (session === this.common) return session
    const { id } = session
    const known = this.#sessions.get(id)
    if (!known) this.#makeRoom()
    const kept = { session: known?.session ?? session, usedAt: this.#now() }
    this.#awaited.delete(id)
    this.#sessions.delete(id)
    this.#sessions.set(id, kept)
    return kept.session
  }

  /**
   * Lets other requests find a session that is not kept while one waits for what happens in it.
   *
   * @param wait ends when the request has its answer
   */
  async whileAwaited<T>(session: MockSession, wait: () => Promise<T>): Promise<T> {
    const { id } = session
    const awaited = this.#awaited.get(id) ?? { session, waiting: 0 }
    if (session !== this.common && !this.#sessions.has(id)) this.#awaited.set(id, awaited)
    awaited.waiting += 1
    try {
      return await wait()
    } finally {
      awaited.waiting -= 1
      if (awaited.waiting === 0 && this.#awaited.get(id) === awaited) this.#awaited.delete(id)
    }
  }

  /** Ends a session. @returns whether there was one */
  end(id: string): boolean {
    this.#sessions.get(id)?.session.ending.abort()
    return this.#sessions.delete(id)
  }

  /** The kept sessions, the least recently used one first. */
  list(): { id: string; idleMs: number }[] {
    return Array.from(this.#sessions, ([id, { usedAt }]) => ({
      id,
      idleMs: Math.round(this.#now() - usedAt),
    }))
  }

  #makeRoom(): void {
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt > this.#now() - idleMs) break
      this.end(id)
    }
    if (this.#sessions.size >= mostSessions)
      throw new Refusal(
        429,
        `There are ${mostSessions} sessions. End one with DELETE /_mock/sessions/<id>; one that is not used for 10 minutes ends by itself.`,
      )
  }
}

/** Why a text is no id of a session, with the remedy; undefined if it is one. */
export const idProblem = (id: string): string | undefined =>
  validId.test(id)
    ? undefined
    : 'The id of a session has 1 to 64 letters, digits, dots, hyphens and underscores, such as worker-1, and is not "." or "..".'

/** @throws Refusal 400 */
export function checkedId(id: string): string {
  const problem = idProblem(id)
  if (problem !== undefined) throw new Refusal(400, problem)
  return id
}

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
  // the signal of a request that nothing refers to is lost
  Object.assign(request, { moved })
  moved.headers.set(sessionHeader, session)
  return moved
}
