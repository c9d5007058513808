import { expect, test, vi } from 'vitest'

type Clock = (id: number, precision: bigint, result: number) => number

/** The clock that a program compiled by emscripten gets. */
async function clockOf(asked: Clock): Promise<Clock> {
  const machine = (globalThis as unknown as { WebAssembly: { instantiate: unknown } }).WebAssembly
  const instantiate = machine.instantiate
  let given: Clock | undefined
  machine.instantiate = async (_: unknown, imports: Record<string, Record<string, Clock>>) => {
    given = imports['wasi_snapshot_preview1']!['clock_time_get']
  }
  try {
    vi.resetModules()
    const { withIdleWaits } = await import('./idle-wait.ts')
    const start = machine.instantiate as (module: unknown, imports: object) => Promise<void>
    await withIdleWaits(() =>
      (machine.instantiate as typeof start)({}, { wasi_snapshot_preview1: { clock_time_get: asked } }),
    )
    // afterwards programs are started as before
    expect(machine.instantiate).toBe(start)
  } finally {
    machine.instantiate = instantiate
  }
  return given!
}

test('a clock that is read in a loop lets its thread sleep and still gives the time', async () => {
  let asked = 0
  const clock = await clockOf(() => asked++)
  const until = performance.now() + 50
  let answer = -1
  while (performance.now() < until) answer = clock(1, 0n, 0)
  expect(answer).toBe(asked - 1)
  // Without idle waits there are hundreds of thousands of reads. Each time a busy machine interrupts the loop, the clock
  // allows a few more reads before it waits again.
  expect(asked).toBeLessThan(1000)
})
