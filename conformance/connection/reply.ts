import type { Exchange } from './exchange.ts'
import { isObject, parseJson, typeOf, type Json, type JsonObject } from './json.ts'
import { echoed } from './secrets.ts'

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
  /** `status.message`; empty if it is not a string. */
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

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Describes a reply in one line, for the `actual` of a finding. */
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
