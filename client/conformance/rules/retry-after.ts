import { retryAfterMs } from '../../../base/time/retry-after.ts'
import type { Rule } from './rule.ts'
import { Tally } from './tally.ts'

/** How much earlier a request may come, in milliseconds: clocks and timers are not exact. */
const SLACK_MS = 20

/** REQ-RATE-1: no request comes before the time that the Retry-After of a 429 or 503 names (RFC 9110, 10.2.3). */
export function retryAfterKept(): Rule {
  const tally = new Tally('REQ-RATE-1', {
    unit: 'requests after a 429 or 503 with Retry-After',
    kept: 'none came too early',
    broken: 'came before the time that Retry-After named',
    remedy: 'Wait as long as Retry-After says before the next request.',
    nothing: 'No request followed a 429 or 503 with Retry-After.',
  })
  /** The latest refusal that no request has waited for. A request that was under way then shows nothing. */
  let refusal: { readonly endedMs: number; readonly untilMs: number; readonly number: number } | undefined
  return {
    add({ exchange, number }) {
      if (refusal && exchange.startedMs >= refusal.endedMs) {
        const isKept = exchange.startedMs >= refusal.untilMs - SLACK_MS
        tally.judge(isKept, refusal.number, number)
        if (isKept) refusal = undefined
      }
      const { status, headers } = exchange.answer ?? {}
      if (status !== 429 && status !== 503) return
      const wait = retryAfterMs(
        new Headers({ 'retry-after': headers!['retry-after'] ?? '' }),
        exchange.endedMs,
      )
      if (wait !== undefined)
        refusal = { endedMs: exchange.endedMs, untilMs: exchange.endedMs + wait, number }
    },
    finding: () => tally.finding(),
  }
}
