import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** How long a try waits for each lock, in milliseconds. The last ones outlast `deadlock_timeout` (1 s), when autovacuum gives way. */
const [firstWaitMs, lastWaitMs] = [200, 1_600]

/** SQLSTATEs of a lock that was not granted: the time was up, or its owner waits for the load too. */
const notGranted = new Set(['55P03', '40P01'])

export interface SwapOptions {
  /** A try that fails after this time is the last one, in milliseconds. Default: five minutes. */
  readonly patienceMs?: number
  readonly signal?: AbortSignal
}

/**
 * Runs the statements that need exclusive locks, at the end of a transaction. While one of them waits for a lock, every new
 * statement of others on that relation waits behind it: so it gives up soon, lets them pass and tries again. What the transaction
 * did before stays.
 *
 * @throws the error of `pg`, of SQLSTATE 55P03 or 40P01 if others hold a lock for all that time; the reason of the signal
 */
export async function swap(
  client: pg.Client,
  statements: readonly string[],
  { patienceMs = 300_000, signal }: SwapOptions,
): Promise<void> {
  const end = performance.now() + patienceMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, lastWaitMs)) {
    try {
      // one message: others wait for no round trips
      await client.query(['SAVEPOINT swap', `SET LOCAL lock_timeout = ${waitMs}`, ...statements].join('; '))
      return
    } catch (error) {
      if (!notGranted.has((error as { code?: string }).code ?? '') || performance.now() > end) throw error
    }
    await client.query('ROLLBACK TO swap; RELEASE swap')
    await sleep(4 * waitMs, undefined, { signal }).catch(() => {})
    signal?.throwIfAborted()
  }
}
