import type { Exchange } from '../connection/http/exchange.ts'
import { EARLY_SHARE } from '../samples/time-limit.ts'
import { lacksEnvelope, readReply } from '../connection/http/reply.ts'
import { endsEarly, isAboutLoad } from '../connection/http/says-nothing.ts'

/** How a reply fails to be an answer to its statement. */
export type BrokenKind =
  /** It ended early, or cannot be decoded. */
  | 'cut'
  /** Something in front of the target answered: it has no envelope. */
  | 'foreign'
  /** A 504 long before the limit of a statement. */
  | 'early-504'

/** How a reply is broken; undefined if it is whole, concerns the load, or came only at the limit. */
export function brokenKind(exchange: Exchange, limitMs: number): BrokenKind | undefined {
  if (!exchange.response) return exchange.broke && exchange.durationMs < limitMs ? 'cut' : undefined
  const reply = readReply(exchange)
  if (reply.ok) return undefined
  if (endsEarly(reply)) return 'cut'
  if (isAboutLoad(exchange)) return undefined
  if (reply.status === 504) return exchange.durationMs < limitMs * EARLY_SHARE ? 'early-504' : undefined
  return reply.envelope || lacksEnvelope(reply) ? undefined : 'foreign'
}
