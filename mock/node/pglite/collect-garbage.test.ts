import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('garbage is collected', async () => {
  const reference = new WeakRef({})
  // an object is kept until the work that looked at it ends
  await sleep(1)
  collectGarbage()
  expect(reference.deref()).toBeUndefined()
})
