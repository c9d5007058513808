import { adminToken, statementToken } from './tokens.ts'

/** What `/_mock/console` tells. */
export interface Facts {
  /** The path of the statement endpoint. */
  readonly path: string
  readonly token?: string
  readonly judges: boolean
  /** The time of a live plant, ISO 8601. */
  readonly now?: string
}

/** The server of the page, or the mock that runs in the page. */
export interface Service {
  readonly kind: 'server' | 'playground'
  readonly facts: Facts
  /** The URL of the statement endpoint, as others would use it. */
  readonly url: string
  /**
   * Sends a statement.
   *
   * @param variants settings of this statement alone
   */
  send(statement: string, options?: SendOptions): Promise<Response>
  /** Sends a request to `/_mock/…`; a body is sent as JSON. */
  admin(path: string, options?: AdminOptions): Promise<Response>
}

export interface SendOptions {
  readonly signal?: AbortSignal
  readonly variants?: string
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

/** A service over a fetch, which is the one place that adds headers. */
export function createService(kind: Service['kind'], origin: string, facts: Facts, fetch: Fetch): Service {
  const url = origin + facts.path
  return {
    kind,
    facts,
    url,
    send: (statement, { signal, variants } = {}) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${statementToken.value ?? facts.token ?? 'none'}`,
          ...(variants && { 'x-mock-variant': variants }),
        },
        body: JSON.stringify({ statement }),
        ...(signal && { signal }),
      }),
    admin: (path, options) => askAdmin(fetch, `${origin}/_mock/${path}`, options),
  }
}

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
