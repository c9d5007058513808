import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { sleep, untilAborted } from './until-aborted.ts'

const never = new Promise<never>(() => {})

test('untilAborted returns the result of work that ends first and leaves no listener', async () => {
  const { signal } = new AbortController()
  await expect(untilAborted(Promise.resolve(7), signal)).resolves.toBe(7)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('untilAborted rejects with the reason of the signal while the work continues', async () => {
  const controller = new AbortController()
  const work = untilAborted(never, controller.signal)
  controller.abort(new Error('enough'))
  await expect(work).rejects.toThrow('enough')
})

test('untilAborted and sleep reject at once if the signal has already aborted', async () => {
  await expect(untilAborted(never, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  await expect(sleep(60_000, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
})

test('sleep resolves after its time', async () => {
  const start = performance.now()
  await sleep(20, new AbortController().signal)
  expect(performance.now() - start).toBeGreaterThan(15)
})
