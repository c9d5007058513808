/** TypeScript has the types of WebAssembly only together with those of a browser. */
interface Machine {
  instantiate(module: unknown, imports?: Imports): Promise<unknown>
}
type Imports = Record<string, Record<string, unknown>>
type Clock = (id: number, precision: bigint, result: number) => number

/** If the clock is read this often in a row, with less than this many milliseconds between, the program busy-waits. */
const [mostReads, betweenMs] = [20, 0.05]

/** How long an idle wait is, in milliseconds; a sleep may end later by as much. */
const waitMs = 1

/**
 * Lets the thread sleep while a program compiled by emscripten busy-waits. Its `usleep`, and with it `pg_sleep`, reads
 * the monotonic clock in a loop, which uses a core as long as it sleeps; working statements read another clock.
 *
 * @param machine instantiates programs
 * @returns a function that calls its argument, which instantiates a program
 */
export function idleWaitsIn(machine: Machine) {
  const instantiate = machine.instantiate
  return async <T>(start: () => Promise<T>): Promise<T> => {
    machine.instantiate = (module, imports) =>
      instantiate.call(machine, module, imports && withSleepingClock(imports))
    try {
      return await start()
    } finally {
      machine.instantiate = instantiate
    }
  }
}

/** {@link idleWaitsIn} this thread. */
export const withIdleWaits = idleWaitsIn((globalThis as unknown as { WebAssembly: Machine }).WebAssembly)

function withSleepingClock(imports: Imports): Imports {
  const wasi = imports['wasi_snapshot_preview1']
  const clock = wasi?.['clock_time_get']
  if (typeof clock !== 'function' || typeof SharedArrayBuffer === 'undefined') return imports
  // a new object: other modules of the program read the original later
  const changed = Object.assign(Object.create(wasi!), { clock_time_get: sleeping(clock as Clock) })
  return { ...imports, wasi_snapshot_preview1: changed }
}

function sleeping(clock: Clock): Clock {
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
