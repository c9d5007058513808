import { deniesToken } from './token-refusals.ts'
import type { Exchange } from './exchange.ts'
import { jsonProblem, readReply, type Reply } from './reply.ts'

/** Why a reply says nothing about its statement. */
export type Nothing =
  /** The target, or something in front of it, has too many requests. */
  | 'busy'
  /** The time was over. */
  | 'late'
  /** Something in front of the target answered. */
  | 'gateway'
  /** It ended early. */
  | 'cut'
  /** Its body is not JSON. Only if it stays so, it is an answer of the target itself. */
  | 'page'

/** Messages of the contract that only the service itself sends, whatever the HTTP status. */
const OWN_MESSAGE = /\brelation\b.*\bdoes not exist\b|\bJSON decode error\b/i

/**
 * Why a reply says nothing about its statement, so that no check may read it as an answer; undefined if it is an answer. The
 * contract leaves the status of errors open (http.unknown-view, http.exception), so a message of the contract decides.
 */
export function saysNothing(exchange: Exchange): Nothing | undefined {
  const reply = readReply(exchange)
  const { status, headers } = exchange.response!
  if (reply.ok || deniesToken(status)) return undefined
  if (endsEarly(reply)) return 'cut'
  if (reply.envelope && OWN_MESSAGE.test(reply.message)) return undefined
  if (status === 504) return 'late'
  if (status === 429 || status === 503 || headers.has('retry-after')) return 'busy'
  if (!reply.envelope && [407, 413, 502].includes(status)) return 'gateway'
  return jsonProblem(reply) !== undefined && exchange.response!.text !== '' ? 'page' : undefined
}

/** Whether a body is the beginning of a JSON document. */
export function endsEarly(reply: Reply): boolean {
  const problem = jsonProblem(reply)
  const { text } = reply.exchange.response!
  if (problem === undefined || !/^\s*[{[]/.test(text)) return false
  return problem.startsWith('Unexpected end') || !/[}\]]\s*$/.test(text)
}

/** Words of a refusal because of load, or of a target that restarts. Broader ones would excuse a vague message that stays. */
const LOAD_WORDS =
  /\btoo (many|much|fast|frequent|often|large|big|busy)\b|\b(rate|request|concurren\w*|connection|row|size)s?[ -]?limit|limit (is |was )?(exceed|reach)|exceed\w*\b.*\b(limit|maximum)|throttl|quota|overload|\bbusy\b|slow down|starting up|shutting down|\bconnection slots\b|\bpool\b.*\b(exhausted|limit|timed out)/i
/** Start of a page that is searched for words, in characters. */
const SEARCHED = 10_000

/** Whether a refusal is about load instead of its statement, also one that says so in words. */
export function isAboutLoad(exchange: Exchange): boolean {
  if (!exchange.response) return false
  const { status, text } = exchange.response
  return status === 413 || saysNothing(exchange) === 'busy' || LOAD_WORDS.test(text.slice(0, SEARCHED))
}

/** Whether something refused a request before SQL ran: because of the token, the permission, the load or the time. */
export const isGatewayReply = (reply: Reply): boolean =>
  deniesToken(reply.status) ||
  (reply.status === 403 && !(reply.envelope && OWN_MESSAGE.test(reply.message))) ||
  ['busy', 'late', 'gateway'].includes(saysNothing(reply.exchange) ?? '')
