import { excerpt, LONGEST } from '../redaction/excerpt.ts'
import type { Exchange } from './exchange.ts'
import { isObject, typeOf, type Json, type JsonObject } from '../values/json.ts'
import { parseJson } from '../values/parse-json.ts'
import { echoed } from '../redaction/secrets.ts'

/** The envelope of a reply. Every member may be missing or of the wrong type. */
export interface Envelope {
  data: Json | undefined
  state: Json | undefined
  message: Json | undefined
  body: JsonObject
}

/** A parsed reply of the endpoint. */
export interface Reply {
  exchange: Exchange
  status: number
  /** Undefined if the body is not JSON. */
  json: Json | undefined
  /** Undefined if the body is not a JSON object with a member `data` or an object `status`. */
  envelope: Envelope | undefined
  /** Whether `status.state` is `success`. */
  ok: boolean
  /** The rows in `data`, unchanged; empty if there are none. */
  data: Json[]
  /** The start of `status.message`; empty if it is not a string. */
  message: string
}

/** Reads a response. Its JSON is parsed again when it is used later, unless the run keeps it. */
export function readReply(exchange: Exchange): Reply {
  const { status } = exchange.response!
  const { envelope } = parsed(exchange)
  return {
    exchange,
    status,
    ok: envelope?.state === 'success',
    message: typeof envelope?.message === 'string' ? startOf(envelope.message) : '',
    get json() {
      return parsed(exchange).json
    },
    get envelope() {
      return parsed(exchange).envelope
    },
    get data() {
      const { data } = parsed(exchange).envelope ?? {}
      return Array.isArray(data) ? data : []
    },
  }
}

/** The start of a long message. It is redacted before it is cut, so that no part of a secret stays at its end. */
const startOf = (message: string): string => (message.length > LONGEST ? excerpt(echoed(message)) : message)

/** Whether a statement is served, now. */
export const isServed = (reply: Promise<Reply>): Promise<boolean> =>
  reply.then(
    ({ ok }) => ok,
    () => false,
  )

interface Parsed {
  json: Json | undefined
  envelope: Envelope | undefined
}

/** What was parsed: of a reply that the run keeps until the run ends, of others while it is used. */
const known = new WeakMap<Exchange, { deref(): Parsed | undefined }>()

function parsed(exchange: Exchange): Parsed {
  const before = known.get(exchange)?.deref()
  if (before) return before
  const json = tryParse(exchange.response!.text)
  const result = { json, envelope: envelopeOf(json) }
  known.set(exchange, exchange.isKept ? { deref: () => result } : new WeakRef(result))
  return result
}

/** Whether the `Content-Type` is application/json or ends in +json. */
export const declaresJson = ({ exchange }: Reply): boolean =>
  /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(exchange.response!.headers.get('content-type') ?? '')

/** Whether the endpoint served a statement, but in another form than the envelope. */
export const lacksEnvelope = (reply: Reply): boolean =>
  reply.envelope === undefined && reply.status >= 200 && reply.status < 300 && declaresJson(reply)

function envelopeOf(json: Json | undefined): Envelope | undefined {
  // If `status` is a number, it is the HTTP status, as in problem+json.
  if (!isObject(json) || !('data' in json || isObject(json['status']))) return undefined
  const status = isObject(json['status']) ? json['status'] : {}
  return { data: json['data'], state: status['state'], message: status['message'], body: json }
}

/** Why a body is not JSON, such as "Unexpected NaN at position 41 of the JSON."; undefined if it is. */
export function jsonProblem({ json, exchange }: Pick<Reply, 'json' | 'exchange'>): string | undefined {
  if (json !== undefined) return undefined
  try {
    parseJson(exchange.response!.text)
    return undefined
  } catch (error) {
    return echoed((error as Error).message).replace(/\.$/, '')
  }
}

/** Why nothing can be read from the reply to a documented statement: its body is not JSON, which other checks judge. */
export function illegible(reply: Reply): string | undefined {
  const problem = jsonProblem(reply)
  return problem && `the reply with HTTP ${reply.status} is not JSON: ${problem}`
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Describes a reply in one line, for the `actual` of a finding. */
export function describeReply(reply: Reply): string {
  const { status, envelope, json, message: text, exchange } = reply
  if (!envelope) {
    const type = exchange.response!.headers.get('content-type') ?? 'no content type'
    const location = exchange.response!.headers.get('location')
    if (location) return `HTTP ${status}, a redirect to ${echoed(location)}`
    if (exchange.response!.text === '') return `HTTP ${status}, no body`
    if (json !== undefined) return `HTTP ${status}, JSON without an envelope`
    // of a page, the first character says nothing
    const problem = declaresJson(reply) ? `: ${jsonProblem(reply)}` : ''
    return `HTTP ${status}, a body that is not JSON (${echoed(type)})${problem}`
  }
  const data = Array.isArray(envelope.data)
    ? `data of ${envelope.data.length} rows`
    : `data ${envelope.data === undefined ? 'missing' : typeOf(envelope.data)}`
  const state = typeof envelope.state === 'string' ? `"${excerpt(echoed(envelope.state))}"` : 'no text'
  const message = typeof envelope.message === 'string' ? echoed(JSON.stringify(text)) : 'no text'
  return `HTTP ${status}, ${data}, state ${state}, message ${message}`
}
