import { Agent } from 'node:http'
import { ask, type Target } from './client.ts'

/** A small statement. It differs for each `n`, so that no server can reuse a result. */
export const smallStatement = (n: number): string => `SELECT * FROM v_experiments WHERE id <> '${n}' LIMIT 10`

/** Kinds of small statements; each differs for each `n`. */
export const kinds = {
  'quoted literal': smallStatement,
  number: (n: number) => `SELECT * FROM v_experiments WHERE ${n + 1} > 0 LIMIT 10`,
  'LEFT JOIN': (n: number) =>
    `SELECT q.id, q.name, d.value FROM v_quantities q LEFT JOIN v_bioprocess_quantity_data d ON d.quantity_id = q.id WHERE q.last_updated_at > '2020-01-01 00:00:00.${String(n).padStart(6, '0')}+00' LIMIT 5`,
} as const

export interface ClosedLoad {
  readonly statement: (n: number) => string
  readonly requests: number
  /** Parallel requests, each on a kept connection. */
  readonly connections: number
  /** Stops sending requests after this time, in milliseconds. */
  readonly withinMs: number
  /** The number of the first statement. */
  readonly from: number
}

/**
 * Sends small statements; each connection sends the next one after an answer.
 *
 * @returns the number of requests
 * @throws Error for a status other than 200
 */
export async function closedLoad(target: Target, load: ClosedLoad): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
  const started = performance.now()
  let sent = 0
  const connection = async () => {
    while (sent < load.requests && performance.now() - started < load.withinMs) {
      const { status } = await ask(target, load.statement(load.from + sent++), { agent })
      if (status !== 200) throw new Error(`A small statement got status ${status}.`)
    }
  }
  try {
    await Promise.all(Array.from({ length: load.connections }, connection))
  } finally {
    agent.destroy()
  }
  return sent
}
