import type { PageFacts } from '../../mock/app/admin/page.ts'
import { expiredToken, invalidToken, missingToken } from '../../mock/app/answer/token-refused.ts'
import { type Answer, type Progress, readAnswer, StatementFailed } from './answer.ts'
import type { Place } from './place.ts'
import { adminToken, refusedToken, tokenProblem } from './tokens.ts'

/** What `/_mock/console` tells, and the time of a live plant, ISO 8601. */
export type Facts = PageFacts & {
  readonly now?: string
  /** When the page read them, on its own clock in milliseconds. */
  readonly readAt?: number
}

/** The server of the page, or the mock that runs in the page, as one token sees it. */
export interface Service extends Place {
  readonly kind: 'server' | 'playground'
  readonly facts: Facts
  /** The URL of the statement endpoint, as others would use it. */
  readonly url: string
  /** The base URL of clients. */
  readonly baseUrl: string
  /** The token of statements: the user's, or else the server's. */
  readonly token: string | undefined
  /** The address of a file below the page. */
  addressOf(path: string): string
  /**
   * Sends a statement, and notes whether its token was refused.
   *
   * @throws StatementFailed for an error of the service or a truncated body
   */
  ask(statement: string, options?: AskOptions): Promise<Answer>
  /**
   * The rows of a statement of the page itself: variants and faults that are injected do not change it, and no list of requests
   * has it.
   *
   * @throws StatementFailed
   */
  read(statement: string, signal?: AbortSignal): Promise<Answer['rows']>
  /** Sends a request to `/_mock/…`; a body is sent as JSON. */
  admin(path: string, options?: AdminOptions): Promise<Response>
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  /** Is kept up to date while the answer is read. */
  readonly progress?: Progress
  /** Whether it is a statement of the page itself. */
  readonly isOfPage?: boolean
}

export interface AdminOptions {
  readonly method?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Asks for an event stream. */
  readonly events?: boolean
}

/** Any fetch: that of the browser, or that of the mock. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface ServiceOptions {
  readonly kind: Service['kind']
  readonly place: Place
  readonly facts: Facts
  readonly fetch: Fetch
  /** The token that the user gave. */
  readonly ownToken: string | undefined
  /** Called if `/_mock/…` refuses the admin token. */
  readonly onAdminRefused: () => void
}

/** A service over a fetch, which is the one place that makes addresses and adds headers. */
export function createService(options: ServiceOptions): Service {
  const { kind, place, facts, fetch, ownToken, onAdminRefused } = options
  const url = place.base + facts.path
  const token = ownToken ?? facts.token
  const service: Service = {
    ...place,
    kind,
    facts,
    url,
    baseUrl: url.replace(/\/external\/v1\/statements\/$/, ''),
    token,
    addressOf: (path) => place.base + path,
    read: async (statement, signal) => (await service.ask(statement, { signal, isOfPage: true })).rows,
    async ask(statement, { signal, progress, isOfPage } = {}) {
      const problem = tokenProblem(token)
      if (problem !== undefined) {
        refusedToken.value = token
        throw new StatementFailed(problem)
      }
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token ?? 'none'}`,
          ...(isOfPage ? { 'x-mock-page': '1' } : { 'x-mock-client': 'console' }),
        },
        body: JSON.stringify({ statement }),
        ...(signal && { signal }),
      })
      try {
        const answer = await readAnswer(response, undefined, progress)
        if (refusedToken.value === token) refusedToken.value = undefined
        return answer
      } catch (error) {
        if (needsToken(error)) refusedToken.value = token
        throw error
      }
    },
    async admin(path, options) {
      const response = await askAdmin(fetch, `${place.base}/_mock/${path}`, options)
      if (response.status === 401) onAdminRefused()
      return response
    },
  }
  return service
}

const tokenRefusals = [missingToken, invalidToken, expiredToken].map((refusal) => refusal().message)

/**
 * Whether another token mends an error: one that was not sent, or that the service refused. Services answer 403 or 200 as well
 * (auth.invalid), so the sentence counts too.
 */
export const needsToken = (error: unknown): boolean =>
  error instanceof StatementFailed &&
  (error.status === undefined || error.status === 401 || tokenRefusals.includes(error.message))

/** Sends a request to `/_mock/…`, with the admin token if the page has one. */
export function askAdmin(fetch: Fetch, url: string, options: AdminOptions = {}): Promise<Response> {
  const { method = 'GET', body, signal, events } = options
  return fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(events && { accept: 'text/event-stream' }),
      ...(adminToken.value && { authorization: `Bearer ${adminToken.value}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

/**
 * The body of an answer of `/_mock/…`.
 *
 * @throws Error with the server's sentence if the request was refused
 */
export async function bodyOf<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T & { status?: { message?: string } }
  if (!response.ok) throw new Error(body.status?.message ?? `The server answered ${response.status}.`)
  return body
}
