import { accepting } from './auth.ts'
import { live } from './live.ts'
import { errorReply, onEnvelope, onObjects, onRows, reply, wrapper, type Mutant } from './mutant.ts'

/** A server that differs from the reference in a permitted way, for which there is no setting. */
export interface Control {
  /** Stable kebab-case id. */
  id: string
  /** The behaviour of the server: one sentence. */
  does: string
  /** Rows change during the run: checks may be inconclusive, but must not fail or warn. */
  changes?: true
  wrap: Mutant['wrap']
}

type Row = Record<string, unknown>

/** Adds headers to every response and sends its body in small chunks. */
const withHeaders = (headers: Record<string, string>): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (let at = 0; at < bytes.length; at += 1000) stream.enqueue(bytes.subarray(at, at + 1000))
        stream.close()
      },
    })
    return new Response(body, {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
    })
  })

/** Controls with other responses. */
const responses: Control[] = [
  {
    id: 'further-members',
    does: 'The envelope has additional members.',
    wrap: onEnvelope(({ data, status }) => ({
      meta: { rows: data.length, tookMs: 3 },
      status: { ...status, code: 0, errors: [] },
      data,
    })),
  },
  {
    id: 'pretty-printed',
    does: 'The envelope is indented and starts with status.',
    wrap: onEnvelope(({ data, status }) => JSON.stringify({ status, data }, null, 2)),
  },
  {
    id: 'json-of-a-kind',
    does: 'The media type ends in +json and has parameters.',
    wrap: withHeaders({ 'content-type': 'application/vnd.statements+json; charset=utf-8' }),
  },
  {
    id: 'rate-limit-headers',
    does: 'Every response has the headers of a rate limit that the run does not reach.',
    wrap: withHeaders({ 'ratelimit-limit': '600', 'ratelimit-remaining': '12', 'ratelimit-reset': '30' }),
  },
  {
    id: 'latency',
    does: 'Every response is delayed by 0 to 20 ms, so responses arrive in another order.',
    wrap: wrapper(async (call, next) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      return next(call)
    }),
  },
  {
    id: 'login-page',
    does: 'A request with an invalid token is redirected to a login page.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      if (response.status !== 401) return response
      return new Response(null, { status: 302, headers: { location: 'https://login.example/' } })
    }),
  },
  {
    id: 'other-empty-message',
    does: 'The message of a success without rows is unusual.',
    wrap: onEnvelope((envelope) => {
      const { data, status } = envelope
      if (status.state !== 'success' || data.length > 0) return envelope
      return { ...envelope, status: { ...status, message: 'OK (0 rows)' } }
    }),
  },
]

/** Controls with other rows. */
const rows: Control[] = [
  {
    id: 'keys-reversed',
    does: 'Rows have their columns in reverse order.',
    wrap: onRows((row) => Object.fromEntries(Object.entries(row).toReversed())),
  },
  {
    id: 'other-event-kinds',
    does: 'Events have a type that only the vendor knows.',
    wrap: onRows((row) => {
      if (!Array.isArray(row['events'])) return row
      const events = (row['events'] as Row[]).map((event) => ({
        __type: 'DbCalibrationEvent',
        at: 5,
        probe: Object.keys(event).length,
      }))
      return { ...row, events }
    }),
  },
  {
    id: 'statistics-further-keys',
    does: 'Statistics have additional members.',
    wrap: onObjects('statistics', (statistics) => ({ ...statistics, median: null, unit: 'g/L' })),
  },
  {
    id: 'rows-capped',
    does: 'No response has more than 100 rows.',
    wrap: onEnvelope((envelope) => ({ ...envelope, data: envelope.data.slice(0, 100) })),
  },
  {
    id: 'writers',
    does: 'Rows appear and change between statements.',
    changes: true,
    wrap: live({ seed: 1 }),
  },
  {
    id: 'writers-and-deletions',
    does: 'Rows appear, change and vanish between statements.',
    changes: true,
    wrap: live({ seed: 2, vanish: true }),
  },
]

/** Gives the documented errors with a text of their own another status. */
const documentedErrorsWith = (status: number): Mutant['wrap'] =>
  onEnvelope(
    (envelope) => envelope,
    ({ status: { message } }, was) =>
      /^relation "\w+" does not exist$|^JSON decode error/.test(message) ? status : was,
  )

/** Controls with other errors and refusals. */
const refusals: Control[] = [
  {
    id: 'documented-errors-403',
    does: 'Unknown views and syntax errors have the status 403.',
    wrap: documentedErrorsWith(403),
  },
  {
    id: 'documented-errors-503',
    does: 'Unknown views and syntax errors have the status 503.',
    wrap: documentedErrorsWith(503),
  },
  {
    id: 'tokens-in-any-case',
    does: 'Tokens are compared without letter case, as those that are a UUID may be.',
    wrap: accepting((given, valid) => given?.toLowerCase() === valid.toLowerCase()),
  },
]

/** The value without the null members of its objects. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]))
}

/** Controls with the same values in another form. */
const values: Control[] = [
  {
    id: 'values-spelled-otherwise',
    does: 'SELECT * prints 17 digits of a number, and milliseconds of a time in place of microseconds.',
    wrap: onEnvelope((envelope, { statement = '' }) => {
      if (!/^select \* from \w+ limit/i.test(statement)) return envelope
      return JSON.stringify(envelope)
        .replace(/(?<=[:,[])-?\d+\.\d+(?=[,}\]])/g, (digits) => Number(digits).toPrecision(17))
        .replace(/(T\d\d:\d\d:\d\d\.\d{3})\d{3}\+00:00"/g, '$1Z"')
    }),
  },
  {
    id: 'rows-with-further-members',
    does: 'Every row has its place in the response and a link, which are no columns.',
    wrap: onEnvelope((envelope) => ({
      ...envelope,
      data: envelope.data.map((row, index) => ({ '@index': index, ...row, _links: { self: '/rows' } })),
    })),
  },
  {
    id: 'nested-nulls-omitted',
    does: 'Objects inside of rows leave out members that are null.',
    wrap: onRows((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, withoutNulls(value)])),
    ),
  },
  {
    id: 'event-nulls-omitted',
    does: 'Only event records leave out members that are null.',
    wrap: onRows((row) => ('events' in row ? { ...row, events: withoutNulls(row['events']) } : row)),
  },
  ...[
    'Zero rows returned.',
    'The statement ran successfully but did not return any results.',
    'The statement ran; nothing was found.',
  ].map((message, index): Control => ({
    id: `empty-message-${index + 1}`,
    does: `The message of a success without rows is: ${message}`,
    wrap: onEnvelope((envelope) =>
      envelope.status.state === 'success' && envelope.data.length === 0
        ? { ...envelope, status: { ...envelope.status, message } }
        : envelope,
    ),
  })),
]

/** Refuses statements that would be served. */
const refusing = (pattern: RegExp): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const { status } = (await response.clone().json()) as { status?: { state?: string } }
    const isRefused = pattern.test(call.statement ?? '') && status?.state === 'success'
    return isRefused ? errorReply('Error executing statement') : response
  })

/** Controls that accept only one of several forms of a documented statement. */
const forms: Control[] = [
  {
    id: 'alias-needs-as',
    does: 'An alias is accepted only after AS.',
    wrap: refusing(/\b(from|join)\s+v_\w+\s+(?!(as|left|inner|join|on|where|limit|order|group|union)\b)\w/i),
  },
  {
    id: 'limit-refused-after-join',
    does: 'LIMIT is refused in a join, as the contract shows none there.',
    wrap: refusing(/\bjoin\b.*\blimit\b/is),
  },
  {
    id: 'limit-refused-after-where',
    does: 'LIMIT is refused after WHERE, as the contract shows none there.',
    wrap: refusing(/\bwhere\b.*\blimit\b/is),
  },
  {
    id: 'unknown-columns-null',
    does: 'A column that no row has is null, as in a store without a schema.',
    wrap: wrapper(async (call, next) => {
      const unknown = /^select (no_such_column) from v_\w+ limit 1$/i.exec(call.statement ?? '')?.[1]
      if (unknown === undefined) return next(call)
      return reply({ data: [{ [unknown]: null }], status: { state: 'success', message: 'One row.' } })
    }),
  },
]

/** All controls. No check may fail or warn. */
export const controls: readonly Control[] = [...responses, ...rows, ...refusals, ...values, ...forms]
