import { checkOptions, checkServiceOptions, type OptionTypes } from '../../base/check-options.ts'
import type { LoggedRequest } from '../app/log/request-log.ts'
import type { ChangedCounts } from '../rows/session-rows.ts'
import { idProblem } from '../app/sessions/sessions.ts'
import { jsonText } from './json-text.ts'
import { nameOnce } from './name-once.ts'
import { ControlError, type RequestFilter, type SessionControl, waitTypes } from './session.ts'

export interface SessionOptions {
  /** The base URL of the server. */
  readonly baseUrl: string
  /** 1 to 64 letters, digits, dots, hyphens and underscores; empty for requests without a session. Default: a new id. */
  readonly id?: string
  /** The token of `--admin-token`, if the server has one. */
  readonly adminToken?: string
  /** Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch
}

const types: OptionTypes<SessionOptions> = {
  baseUrl: 'string',
  id: 'string',
  adminToken: 'string',
  fetch: 'function',
}

const filterTypes: OptionTypes<RequestFilter> = {
  statement: 'string',
  status: 'number',
  state: 'string',
  after: 'number | string',
}

/**
 * A session of a running server, which begins with its first change or statement. It needs nothing but `fetch`.
 *
 * @throws TypeError for an option that does not exist
 * @throws ControlError for an id or a base URL that is not valid
 */
export function connectSession(options: SessionOptions): SessionControl {
  checkServiceOptions(options, types, TypeError)
  const { baseUrl, id = `session-${globalThis.crypto.randomUUID()}`, adminToken } = options
  const { fetch = globalThis.fetch } = options
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    throw new ControlError(
      400,
      `The base URL is ${JSON.stringify(baseUrl)}. Give that of the server, such as http://127.0.0.1:4010.`,
    )
  const base = baseUrl.replace(/\/$/, '')
  const isCommon = id === ''
  const problem = isCommon ? undefined : idProblem(id)
  if (problem !== undefined) throw new ControlError(400, problem)
  const headers: Record<string, string> = isCommon ? {} : { 'x-mock-session': id }
  const { origin } = new URL(base)

  const send = async (method: string, path: string, body?: string): Promise<unknown> => {
    const response = await fetch(`${origin}/_mock/${path}`, {
      method,
      headers: {
        ...headers,
        ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body }),
    }).catch((error) => {
      if (!(error instanceof TypeError)) throw error
      throw new Error(`The server at ${base} cannot be reached. Start it, or correct the base URL.`, {
        cause: error,
      })
    })
    const text = await response.text()
    const answer = jsonIn(text)
    if (response.ok) return answer
    const { message = text.slice(0, 200) } = (answer as { status?: { message?: string } }).status ?? {}
    throw new ControlError(response.status, message || `${base} answered HTTP ${response.status}.`)
  }
  let turn: Promise<unknown> = Promise.resolve()
  /** Sends a change after those before it, so that a reset undoes all that was asked before, awaited or not. */
  const alter = async (method: string, path: string, ...values: readonly [value?: unknown]) => {
    // at once, because the caller may change the value while the change waits
    const body = values.map(jsonText)
    const sent = turn.then(() => send(method, path, ...body))
    turn = sent.catch(() => {})
    return sent
  }
  const name = nameOnce((line) => console.warn(line))
  const end = async (method: string, path: string, ...value: readonly [value?: unknown]) => {
    const { unanswered = [] } = (await alter(method, path, ...value)) as { unanswered?: string[] }
    name(unanswered)
  }
  const change = async (method: string, rows: object) =>
    ((await alter(method, 'rows', rows)) as { changed: ChangedCounts }).changed
  const move = async (body: object) => ((await alter('POST', 'clock', body)) as { now: string }).now
  const requests = async (filter: RequestFilter, more: Record<string, number> = {}) => {
    checkOptions(filter, filterTypes, TypeError)
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...filter, ...more }))
      if (value !== undefined) query.set(name, String(value))
    return ((await send('GET', `requests?${query}`)) as { requests: LoggedRequest[] }).requests
  }

  return {
    id,
    baseUrl: isCommon ? base : `${base}/s/${id}`,
    headers,
    rows: {
      put: (rows) => change('PUT', rows),
      patch: (rows) => change('PATCH', rows),
      remove: (keys) => change('DELETE', keys),
    },
    clock: {
      now: async () => ((await alter('GET', 'clock')) as { now: string }).now,
      advance: (duration) => move({ advance: duration }),
      set: (time) => move({ set: time }),
      run: (speed) => move({ speed }),
    },
    stub: async (...stubs) => void (await alter('POST', 'stubs', stubs)),
    use: async (variants) => void (await alter('PATCH', 'variants', variants)),
    once: async (variants, count = 1) => void (await alter('POST', 'variants/next', { variants, count })),
    faults: async (faults) => void (await alter('PUT', 'faults', { faults })),
    requests: (filter = {}) => requests(filter),
    waitForRequest: async (filter = {}, options = {}) => {
      checkOptions(options, waitTypes, TypeError)
      const { count = 1, withinMs = 2000 } = options
      return requests(filter, { count, within: withinMs })
    },
    expectNoRequest: async (filter = {}, options = {}) => {
      checkOptions(options, { withinMs: 'number' }, TypeError)
      await requests(filter, { count: 0, within: options.withinMs ?? 200 })
    },
    forgetRequests: async () => void (await alter('DELETE', 'requests')),
    reset: () => end('POST', isCommon ? 'sessions/reset' : `sessions/${id}/reset`, {}),
    end: async () => {
      if (isCommon) return
      await end('DELETE', `sessions/${id}`).catch((error) => {
        // it did not begin, or has ended by itself
        if (!(error instanceof ControlError && error.status === 404)) throw error
      })
    },
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
