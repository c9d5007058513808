import { ServiceBusy, StatementError } from './errors.ts'
import { sleep } from '../schemas/until-aborted.ts'

/** The longest Retry-After that is waited for, in milliseconds: whoever asks for more gets the error. */
const LONGEST_MS = 30_000
/** The first wait where the service names none, in milliseconds; it doubles each time. */
const FIRST_MS = 250

/**
 * Does some work again that failed in a way that may pass ({@link StatementError.retryable}): no answer, 429, 503.
 *
 * @param retries how often at most
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const again = error instanceof StatementError && error.retryable && attempt < retries
      const asked = error instanceof ServiceBusy ? error.retryAfterMs : undefined
      const wait = asked ?? Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS)
      if (!again || wait > LONGEST_MS) throw error
      await sleep(wait, signal)
    }
  }
}
