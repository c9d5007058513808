import { ServiceBusy, StatementError } from '../errors.ts'
import { sleep } from '../../base/until-aborted.ts'

/** The longest wait in milliseconds. A longer Retry-After is not waited for. */
const LONGEST_MS = 30_000
/** The first wait without a Retry-After, in milliseconds; it doubles with each retry. */
const FIRST_MS = 250

/**
 * Retries work after a {@link StatementError.retryable} error: no answer, 429, 503.
 *
 * @param retries the most retries
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
      const isRetried = error instanceof StatementError && error.retryable && attempt < retries
      const requested = error instanceof ServiceBusy ? error.retryAfterMs : undefined
      const wait = requested ?? Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS)
      if (!isRetried || wait > LONGEST_MS) throw error
      await sleep(wait, signal)
    }
  }
}
