import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import { EngineQueue } from './engine-queue.ts'
import type { EngineThread } from './engine-thread.ts'

const engine = (name: string) => name as unknown as EngineThread
const { signal } = new AbortController()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('serves whoever came first', async () => {
  const queue = new EngineQueue()
  const [first, second] = [queue.wait(signal), queue.wait(signal)]
  expect([queue.offer(engine('a')), queue.offer(engine('b')), queue.offer(engine('c'))]).toEqual([
    true,
    true,
    false,
  ])
  expect(await Promise.all([first, second])).toEqual(['a', 'b'])
  expect(queue.length).toBe(0)
})

test('turns away whoever comes when it is full, and whoever waited too long', async () => {
  const queue = new EngineQueue()
  const all = Promise.allSettled(Array.from({ length: 512 }, () => queue.wait(signal)))
  await expect(queue.wait(signal)).rejects.toBeInstanceOf(EngineBusy)
  vi.advanceTimersByTime(4_999)
  expect(queue.length).toBe(512)
  vi.advanceTimersByTime(1)
  expect(queue.length).toBe(0)
  for (const { status } of await all) expect(status).toBe('rejected')
})

test('forgets whoever leaves', async () => {
  const queue = new EngineQueue()
  const client = new AbortController()
  const left = queue.wait(client.signal)
  const stayed = queue.wait(signal)
  client.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  queue.offer(engine('a'))
  expect(await stayed).toBe('a')
})

test('turns everybody away when the server closes', async () => {
  const queue = new EngineQueue()
  const waiting = queue.wait(signal)
  queue.rejectAll(new EngineBusy('closing'))
  await expect(waiting).rejects.toThrow('closing')
})
