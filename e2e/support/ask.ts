import { contract } from '../../schemas/index.ts'

interface Target {
  readonly baseUrl: string
  readonly token: string
}

export interface Answer {
  readonly status: number
  readonly rows: Record<string, unknown>[]
  readonly message: string
  readonly retryAfter: string | null
}

/** Sends a statement and reads its answer, whatever it is. */
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
    status: { message: string }
  }
  return {
    status: response.status,
    rows: data,
    message: status.message,
    retryAfter: response.headers.get('retry-after'),
  }
}

/** As many clients at once, each with a statement that has only one right answer. */
export const askMany = (target: Target, clients: number): Promise<(Answer & { n: number })[]> =>
  Promise.all(
    Array.from({ length: clients }, async (_, n) => ({ n, ...(await ask(target, `SELECT ${n} AS n`)) })),
  )
