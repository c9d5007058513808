import type { StatementEngine, StatementResult } from '../statement.ts'
import { createApp, type AppOptions } from './app.ts'
import type { StatementLog } from './log/statement-log.ts'

export const endpoint = 'http://localhost/external/v1/statements/'
export const token = 's3cret-token'
export const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
export const body = (statement: unknown) => JSON.stringify({ statement })

/** A valid request with the changes of `init`; a header that is '' is left out. */
export function post(
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  url = endpoint,
) {
  const all = Object.entries({ ...headers, ...init.headers }).filter(([, value]) => value !== '')
  return new Request(url, {
    method: 'POST',
    duplex: 'half',
    body: init.method === 'GET' || init.method === 'HEAD' ? null : body('SELECT 1'),
    ...init,
    headers: Object.fromEntries(all),
  })
}

/** An engine with one outcome for every statement. */
export function engineOf(outcome: (statement: string) => StatementResult | Error): StatementEngine {
  return {
    execute: async (statement) => {
      const result = outcome(statement)
      if (result instanceof Error) throw result
      return result
    },
    close: async () => {},
  }
}

/** A complete result with one column `n`. */
export const rows = (json: string): StatementResult => ({
  columns: ['n'],
  chunks: json === '' ? [] : [new TextEncoder().encode(json)],
})

/** A result with one column `n`, in pages of JSON text; an error among them ends it. */
export function pages(...parts: (string | Error)[]): StatementResult {
  async function* chunks() {
    for (const part of parts) {
      if (part instanceof Error) throw part
      yield new TextEncoder().encode(part)
    }
  }
  return { columns: ['n'], chunks: chunks() }
}

/** An application over such an engine, and its log. */
export function appOf(
  outcome: Parameters<typeof engineOf>[0] = () => rows('{"n":1}'),
  options: Partial<AppOptions> = {},
) {
  const log: StatementLog[] = []
  const engine = engineOf(outcome)
  const app = createApp({
    engine: () => engine,
    tokens: [token],
    log: (entry) => log.push(entry),
    ...options,
  })
  return { ...app, log }
}
