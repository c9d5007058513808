import { expect, test } from 'vitest'
import { idleWaitsIn } from './idle-wait.ts'

type Clock = (id: number, precision: bigint, result: number) => number

/** The clock that a program compiled by emscripten gets. */
async function clockOf(asked: Clock): Promise<Clock> {
  let given: Clock | undefined
  const instantiate = async (_: unknown, imports?: Record<string, Record<string, unknown>>) => {
    given = imports!['wasi_snapshot_preview1']!['clock_time_get'] as Clock
  }
  const machine = { instantiate }
  await idleWaitsIn(machine)(() =>
    machine.instantiate({}, { wasi_snapshot_preview1: { clock_time_get: asked } }),
  )
  // afterwards programs are started as before
  expect(machine.instantiate).toBe(instantiate)
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
