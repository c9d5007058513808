import { expect, test } from 'vitest'
import { withIdleWaits } from './idle-wait.ts'

test('a clock that is read in a loop lets its thread sleep and still gives the time', () => {
  let asked = 0
  const clock = withIdleWaits(() => asked++)
  const until = performance.now() + 50
  let answer = -1
  while (performance.now() < until) answer = clock(1, 0n, 0)
  expect(answer).toBe(asked - 1)
  // Without idle waits there are hundreds of thousands of reads. Each time a busy machine interrupts the loop, the clock
  // allows a few more reads before it waits again.
  expect(asked).toBeLessThan(1000)
})
