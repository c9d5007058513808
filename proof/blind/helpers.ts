import {
  type Call,
  type Envelope,
  errorReply,
  type Mutant,
  type Next,
  onEnvelope,
  wrapper,
} from '../mutant.ts'

export type Row = Record<string, unknown>
export type Where = (call: Call) => boolean

const EMPTY = 'The statement ran successfully but returned no results'

export const sqlOf = (call: Call): string => call.statement ?? ''
export const matches =
  (pattern: RegExp): Where =>
  (call) =>
    pattern.test(sqlOf(call))

/** The view after the first FROM. */
export const viewOf = (call: Call): string | undefined =>
  /\bfrom\s+"?(v_\w+)/i.exec(sqlOf(call))?.[1]?.toLowerCase()
export const from =
  (...views: string[]): Where =>
  (call) =>
    views.includes(viewOf(call) ?? '')

export const joined = matches(/\bjoin\b/i)
export const star = matches(/^\s*select\s+(\w+\.)?\*/i)
export const filtered = matches(/\bwhere\b/i)
export const limited = matches(/\blimit\b/i)
export const subquery = matches(/\(\s*select\b/i)
const computed = matches(/\b(count|min|max|sum|avg)\s*\(/i)
/** SELECT of named columns of one view. */
export const named: Where = (call) =>
  call.statement !== undefined && !star(call) && !joined(call) && !(computed(call) && !subquery(call))

export const all =
  (...conditions: Where[]): Where =>
  (call) =>
    conditions.every((holds) => holds(call))
export const not =
  (condition: Where): Where =>
  (call) =>
    !condition(call)

/** Rewrites the rows of successful answers. */
export const onResult = (
  rewrite: (rows: Row[], call: Call) => Row[],
  where: Where = () => true,
): Mutant['wrap'] =>
  onEnvelope((envelope, call) => {
    if (envelope.status.state !== 'success' || !where(call)) return envelope
    const data = rewrite(envelope.data, call)
    const lost = data.length === 0 && envelope.data.length > 0
    return { data, status: lost ? { state: 'success', message: EMPTY } : envelope.status }
  })

export interface Place {
  row: Row
  index: number
  rows: readonly Row[]
}

/** Rewrites the values of some columns of a view that is read without a join. */
export const onCells = (
  view: string,
  columns: string | readonly string[],
  rewrite: (value: unknown, place: Place) => unknown,
  where: Where = () => true,
): Mutant['wrap'] =>
  onResult(
    (rows) =>
      rows.map((row, index) => {
        const changed = { ...row }
        for (const column of [columns].flat()) {
          if (column in row) changed[column] = rewrite(row[column], { row, index, rows })
        }
        return changed
      }),
    all(from(view), not(joined), where),
  )

/** Rewrites every value of every row. */
export const onValues = (
  rewrite: (value: unknown, key: string, place: Place) => unknown,
  where: Where = () => true,
): Mutant['wrap'] =>
  onResult(
    (rows) =>
      rows.map((row, index) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [key, rewrite(value, key, { row, index, rows })]),
        ),
      ),
    where,
  )

/** Rewrites the text of every answer that has the envelope. */
export const onText = (
  rewrite: (text: string, envelope: Envelope) => string | Uint8Array<ArrayBuffer>,
  where: (envelope: Envelope, call: Call) => boolean = () => true,
): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const envelope = await envelopeOf(response)
    if (!envelope || !where(envelope, call)) return response
    return new Response(rewrite(await response.text(), envelope), {
      status: response.status,
      headers: { 'content-type': 'application/json' },
    })
  })

export async function envelopeOf(response: Response): Promise<Envelope | undefined> {
  try {
    const envelope = JSON.parse(await response.clone().text()) as Envelope
    return envelope.status?.state === undefined ? undefined : envelope
  } catch {
    return undefined
  }
}

/** The body is not JSON. */
export const malformed: Where = (call) => {
  if (call.init.method?.toUpperCase() !== 'POST') return false
  try {
    JSON.parse(call.body)
    return false
  } catch {
    return true
  }
}

/** Refuses some statements. */
export const refuse = (where: Where, message = 'Error executing statement'): Mutant['wrap'] =>
  wrapper((call, next) => (where(call) ? Promise.resolve(errorReply(message)) : next(call)))

/** Rewrites the text of some statements. */
export const onSql = (
  pattern: RegExp,
  by: string | ((...found: string[]) => string),
  where: Where = () => true,
) =>
  wrapper((call, next) =>
    next(
      call.statement === undefined || !where(call)
        ? call
        : { ...call, statement: call.statement.replace(pattern, by as string) },
    ),
  )

/** An interception with a state of its own for each server. */
export const remembering =
  <S>(start: () => S, intercept: (state: S, call: Call, next: Next) => Promise<Response>): Mutant['wrap'] =>
  (fetch) => {
    const state = start()
    return wrapper((call, next) => intercept(state, call, next))(fetch)
  }

/** Applies a defect to each nth request. */
export const every =
  (nth: number, wrap: Mutant['wrap']): Mutant['wrap'] =>
  (fetch) => {
    const broken = wrap(fetch)
    let count = 0
    return (input, init) => (++count % nth === 0 ? broken : fetch)(input, init)
  }

export type Kind = 'body' | 'syntax' | 'view' | 'other'

/** Which kind of error an answer reports. */
export const kindOf = ({ status }: Envelope, call: Call): Kind | undefined => {
  if (status.state !== 'error') return undefined
  if (malformed(call)) return 'body'
  if (/does not exist/.test(status.message)) return 'view'
  if (/JSON decode/.test(status.message)) return 'syntax'
  return /executing/.test(status.message) ? 'other' : undefined
}

/** Rewrites the answers of one kind of error. */
export const onError = (
  kind: Kind,
  rewrite: (envelope: Envelope, call: Call, next: Next) => Response | Promise<Response>,
  where: Where = () => true,
): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const envelope = await envelopeOf(response)
    return envelope && kindOf(envelope, call) === kind && where(call)
      ? rewrite(envelope, call, next)
      : response
  })

export const isObject = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
export const isTime = (value: unknown): value is string => typeof value === 'string' && TIMESTAMP.test(value)
export const html = (status: number, title: string): Response =>
  new Response(`<html><head><title>${title}</title></head><body>${title}</body></html>`, {
    status,
    headers: { 'content-type': 'text/html' },
  })
