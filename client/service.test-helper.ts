import { createClient } from './client.ts'
import type { ClientOptions } from './options.ts'

/** A request to the fake service. */
export interface Sent {
  readonly url: string
  readonly init: RequestInit
  readonly statement: string
}

type Answering = (statement: string, n: number) => Response | Promise<Response>

/** A client of a service that `answer` implements; `sent` holds the requests. */
export function clientOf(answer: Answering, options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const client = createClient({
    baseUrl: 'https://data.example.org',
    token: 'secret',
    fetch: async (input, init) => {
      const { statement } = JSON.parse(init?.body as string) as { statement: string }
      sent.push({ url: input as string, init: init!, statement })
      return answer(statement, sent.length)
    },
    ...options,
  })
  return { client, sent, statements: () => sent.map(({ statement }) => statement) }
}

export const rows = (data: unknown[], further: object = {}, init: ResponseInit = {}): Response =>
  json({ data, status: { state: 'success', message: 'Statement executed successfully' }, ...further }, init)

export const failure = (message: string, init: ResponseInit = {}): Response =>
  json({ data: [], status: { state: 'error', message } }, init)

export const json = (body: unknown, { headers, ...init }: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
  })

/** The reason of a rejected promise. */
export const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
