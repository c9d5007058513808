import { contract } from '../../../schemas/index.ts'

interface Target {
  readonly baseUrl: string
  readonly token: string
}

export interface Answer {
  readonly status: number
  readonly rows: Record<string, unknown>[]
  readonly state: string
  readonly message: string
  readonly retryAfter: string | null
}

/** Sends a statement and returns the answer, whether it succeeded or not. */
export async function ask(
  { baseUrl, token }: Target,
  statement: string,
  send: typeof fetch = fetch,
): Promise<Answer> {
  const response = await send(baseUrl + contract.endpoint.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })
  const { data, status } = (await response.json()) as {
    data: Record<string, unknown>[]
    status: { state: string; message: string }
  }
  const { state, message } = status
  return {
    status: response.status,
    rows: data,
    state,
    message,
    retryAfter: response.headers.get('retry-after'),
  }
}

/**
 * Sends a statement from each of several clients at once; the one right answer of client `n` is a row with `n`.
 *
 * @param from the end of the statements
 */
export const askMany = (target: Target, clients: number, from = ''): Promise<(Answer & { n: number })[]> =>
  Promise.all(
    Array.from({ length: clients }, async (_, n) => ({
      n,
      ...(await ask(target, `SELECT ${n} AS n ${from}`)),
    })),
  )
