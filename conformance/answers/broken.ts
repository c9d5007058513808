import type { Exchange } from '../connection/http/exchange.ts'
import { EARLY_SHARE } from '../connection/samples/time-limit.ts'
import { jsonProblem, lacksEnvelope, readReply } from '../connection/reply.ts'

/** How a reply fails to be an answer to its statement. */
export type BrokenKind =
  /** It ended early, or cannot be decoded. */
  | 'cut'
  /** Something in front of the target answered: it has no envelope. */
  | 'foreign'
  /** A 504 long before the limit of a statement. */
  | 'early-504'

/** Statuses of an overloaded target, and of what is too large for a gateway. */
const BUSY = [413, 429, 503]
/** Words of a refusal because of load, or of a target that restarts. Broader ones would excuse a vague message that stays. */
const LOAD_WORDS =
  /\btoo (many|much|fast|frequent|often|large|big|busy)\b|\b(rate|request|concurren\w*|connection|row|size)s?[ -]?limit|limit (is |was )?(exceed|reach)|exceed\w*\b.*\b(limit|maximum)|throttl|quota|overload|\bbusy\b|slow down|starting up|shutting down/i
/** Start of a page that is searched for words, in characters. */
const SEARCHED = 10_000

/** Whether a refusal is about load instead of its statement. */
export function isAboutLoad({ response }: Exchange): boolean {
  if (!response) return false
  const { status, headers, text } = response
  return BUSY.includes(status) || headers.has('retry-after') || LOAD_WORDS.test(text.slice(0, SEARCHED))
}

/** How a reply is broken; undefined if it is whole, concerns the load, or came only at the limit. */
export function brokenKind(exchange: Exchange, limitMs: number): BrokenKind | undefined {
  if (!exchange.response) return exchange.broke && exchange.durationMs < limitMs ? 'cut' : undefined
  const reply = readReply(exchange)
  if (reply.ok) return undefined
  if (endsEarly(exchange)) return 'cut'
  if (isAboutLoad(exchange)) return undefined
  if (reply.status === 504) return exchange.durationMs < limitMs * EARLY_SHARE ? 'early-504' : undefined
  return reply.envelope || lacksEnvelope(reply) ? undefined : 'foreign'
}

/** Whether a body is the beginning of a JSON document. */
export function endsEarly(exchange: Exchange): boolean {
  const { text } = exchange.response!
  return /^\s*[{[]/.test(text) && (jsonProblem(readReply(exchange))?.startsWith('Unexpected end') ?? false)
}
