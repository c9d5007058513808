/** A server with one planted defect, which proves that a check can fail. */
export interface Mutant {
  /** Stable kebab-case id; checks name it in `killedBy`. */
  id: string
  /** The requirement that the defect violates. */
  breaks: string
  /** The defect, in one sentence. */
  defect: string
  /** Detectable only with `--destructive-probes`. */
  destructive?: true
  wrap(fetch: typeof globalThis.fetch): typeof globalThis.fetch
}

/** A request to the target, with its statement if it has one. */
export interface Call {
  url: string
  init: RequestInit
  body: string
  statement: string | undefined
}

export type Next = (call: Call) => Promise<Response>

/** A mutant that intercepts requests: it may change the request, the response, or both. */
export const wrapper =
  (intercept: (call: Call, next: Next) => Promise<Response>): Mutant['wrap'] =>
  (fetch) =>
  async (input, init = {}) => {
    const body = String(init.body ?? '')
    const call: Call = { url: String(input), init, body, statement: statementIn(body) }
    return intercept(call, ({ url, init, body, statement }) => {
      const changed = statement === call.statement ? body : JSON.stringify({ statement })
      return fetch(url, changed === call.body ? init : { ...init, body: changed })
    })
  }

/** Rewrites every statement. Bodies without a statement pass unchanged. */
export const onStatement = (rewrite: (sql: string) => string): Mutant['wrap'] =>
  wrapper((call, next) =>
    next(call.statement === undefined ? call : { ...call, statement: rewrite(call.statement) }),
  )

export interface Envelope {
  data: Record<string, unknown>[]
  status: { state: string; message: string }
}

/** Rewrites every envelope. `status` may change the HTTP status. */
export const onEnvelope = (
  rewrite: (envelope: Envelope, call: Call) => unknown,
  status: (envelope: Envelope, was: number) => number = (_, was) => was,
): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const envelope = parseEnvelope(await response.clone().text())
    if (!envelope) return response
    const before = structuredClone(envelope)
    return reply(rewrite(envelope, call), status(before, response.status))
  })

/** Rewrites every row of every success. */
export const onRows = (
  rewrite: (row: Record<string, unknown>, call: Call) => Record<string, unknown>,
): Mutant['wrap'] =>
  onEnvelope((envelope, call) => ({ ...envelope, data: envelope.data.map((row) => rewrite(row, call)) }))

/** Rewrites the objects in one column. */
export const onObjects = (
  column: string,
  rewrite: (value: Record<string, unknown>) => Record<string, unknown>,
): Mutant['wrap'] =>
  onRows((row) => {
    const value = row[column]
    return value !== null && typeof value === 'object'
      ? { ...row, [column]: rewrite(value as Record<string, unknown>) }
      : row
  })

/** The row without one of its keys. */
export const without = (row: Record<string, unknown>, key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== key))

/** The row with another number in one of its columns, if there is a number. */
export const onNumber = (
  row: Record<string, unknown>,
  key: string,
  rewrite: (value: number) => number,
): Record<string, unknown> => (typeof row[key] === 'number' ? { ...row, [key]: rewrite(row[key]) } : row)

export const reply = (body: unknown, status = 200): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  })

export const errorReply = (message: string, status = 200): Response =>
  reply({ data: [], status: { state: 'error', message } }, status)

export function statementIn(body: string): string | undefined {
  try {
    const { statement } = JSON.parse(body) as { statement?: unknown }
    return typeof statement === 'string' ? statement : undefined
  } catch {
    return undefined
  }
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const envelope = JSON.parse(text) as Envelope
    return envelope.status?.state === undefined ? undefined : envelope
  } catch {
    return undefined
  }
}
