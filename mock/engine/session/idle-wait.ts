type Clock = (id: number, precision: bigint, result: number) => number

/** If the clock is read this often in a row, with less than this many milliseconds between, the program busy-waits. */
const [mostReads, betweenMs] = [20, 0.05]

/** How long an idle wait is, in milliseconds; a sleep may end later by as much. */
const waitMs = 1

/**
 * Lets the thread sleep while a program compiled by emscripten busy-waits. Its `usleep`, and with it `pg_sleep`, reads
 * the monotonic clock in a loop, which uses a core as long as it sleeps; working statements read another clock.
 *
 * @param clock `clock_time_get` of the program
 */
export function withIdleWaits(clock: Clock): Clock {
  if (typeof SharedArrayBuffer === 'undefined') return clock
  const never = new Int32Array(new SharedArrayBuffer(4))
  let last = 0
  let reads = 0
  return (id, precision, result) => {
    reads = performance.now() - last < betweenMs ? reads + 1 : 0
    if (reads > mostReads) Atomics.wait(never, 0, 0, waitMs)
    last = performance.now()
    return clock(id, precision, result)
  }
}
