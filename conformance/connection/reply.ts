import type { Exchange } from './exchange.ts'
import { isObject, parseJson, typeOf, type Json, type JsonObject } from './json.ts'
import { echoed } from './secrets.ts'

/** The envelope of an answer. Every member may be missing or of the wrong type. */
export interface Envelope {
  data: Json | undefined
  state: Json | undefined
  message: Json | undefined
  body: JsonObject
}

/** An answer of the endpoint, read. */
export interface Reply {
  exchange: Exchange
  status: number
  /** Undefined if the body is not JSON. */
  json: Json | undefined
  /** Undefined if the body is not a JSON object with a member `data` or an object `status`. */
  envelope: Envelope | undefined
  /** Whether the target says that the statement ran: `status.state` is `success`. */
  ok: boolean
  /** Rows of `data`, as they came; empty if there are none. */
  data: Json[]
  /** `status.message`, the empty string where it is not a text. */
  message: string
}

export function readReply(exchange: Exchange): Reply {
  const { status, text } = exchange.response!
  const json = tryParse(text)
  const envelope = envelopeOf(json)
  return {
    exchange,
    status,
    json,
    envelope,
    ok: envelope?.state === 'success',
    data: Array.isArray(envelope?.data) ? envelope.data : [],
    message: typeof envelope?.message === 'string' ? envelope.message : '',
  }
}

function envelopeOf(json: Json | undefined): Envelope | undefined {
  // A number in `status` is the HTTP status, as problem+json and several frameworks write it.
  if (!isObject(json) || !('data' in json || isObject(json['status']))) return undefined
  const status = isObject(json['status']) ? json['status'] : {}
  return { data: json['data'], state: status['state'], message: status['message'], body: json }
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** One line that says what came, for the `actual` of a finding. */
export function describeReply({ status, envelope, json, exchange }: Reply): string {
  if (!envelope) {
    const type = exchange.response!.headers.get('content-type') ?? 'no content type'
    const location = exchange.response!.headers.get('location')
    if (location) return `HTTP ${status}, a redirect to ${echoed(location)}`
    return `HTTP ${status}, ${json === undefined ? `a body that is not JSON (${echoed(type)})` : `JSON without an envelope`}`
  }
  const data = Array.isArray(envelope.data)
    ? `data of ${envelope.data.length} rows`
    : `data ${envelope.data === undefined ? 'missing' : typeOf(envelope.data)}`
  const state = typeof envelope.state === 'string' ? `"${echoed(envelope.state)}"` : 'no text'
  const message = typeof envelope.message === 'string' ? echoed(JSON.stringify(envelope.message)) : 'no text'
  return `HTTP ${status}, ${data}, state ${state}, message ${message}`
}
