/** TypeScript has the types of WebAssembly only together with those of a browser. */
interface Machine {
  instantiate(module: unknown, imports?: Imports): Promise<unknown>
}
type Imports = Record<string, Record<string, unknown>>
type Clock = (id: number, precision: bigint, result: number) => number

const machine = (globalThis as unknown as { WebAssembly: Machine }).WebAssembly
const instantiate = machine.instantiate

/** Asked again within this many milliseconds, this many times in a row, the clock is being waited for. */
const [againMs, patience] = [0.05, 20]

/** How long a nap is, in milliseconds; a sleep may end later by as much. */
const napMs = 1

/**
 * Lets the thread rest where a program compiled by emscripten waits. Its `usleep`, and with it `pg_sleep`, reads
 * the monotonic clock in a loop, which takes a core for as long as it sleeps; statements that do something read
 * another clock. Meanwhile `start` has to instantiate the program.
 */
export async function withNaps<T>(start: () => Promise<T>): Promise<T> {
  machine.instantiate = (module, imports) => instantiate.call(machine, module, imports && restful(imports))
  try {
    return await start()
  } finally {
    machine.instantiate = instantiate
  }
}

function restful(imports: Imports): Imports {
  const wasi = imports['wasi_snapshot_preview1']
  const clock = wasi?.['clock_time_get']
  if (typeof clock !== 'function' || typeof SharedArrayBuffer === 'undefined') return imports
  // the object is left as it is: other modules of the program look things up in it later on
  const rested = Object.assign(Object.create(wasi!), { clock_time_get: napping(clock as Clock) })
  return { ...imports, wasi_snapshot_preview1: rested }
}

function napping(clock: Clock): Clock {
  const never = new Int32Array(new SharedArrayBuffer(4))
  let last = 0
  let eager = 0
  return (id, precision, result) => {
    eager = performance.now() - last < againMs ? eager + 1 : 0
    if (eager > patience) Atomics.wait(never, 0, 0, napMs)
    last = performance.now()
    return clock(id, precision, result)
  }
}
