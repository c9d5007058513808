import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import { EngineQueue } from './engine-queue.ts'
import type { EngineThread } from './engine-thread.ts'

const engine = (name: string) => name as unknown as EngineThread
const { signal } = new AbortController()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the queue gives engines to statements in the order of their arrival', async () => {
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

test('the queue refuses statements when it is full, and those that waited too long', async () => {
  const queue = new EngineQueue()
  const all = Promise.allSettled(Array.from({ length: 512 }, () => queue.wait(signal)))
  await expect(queue.wait(signal)).rejects.toBeInstanceOf(EngineBusy)
  vi.advanceTimersByTime(4_999)
  expect(queue.length).toBe(512)
  vi.advanceTimersByTime(1)
  expect(queue.length).toBe(0)
  for (const { status } of await all) expect(status).toBe('rejected')
})

test('the queue drops the statement of a client that disconnects', async () => {
  const queue = new EngineQueue()
  const client = new AbortController()
  const left = queue.wait(client.signal)
  const stayed = queue.wait(signal)
  client.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  queue.offer(engine('a'))
  expect(await stayed).toBe('a')
})

test('the queue refuses all waiting statements when the server closes', async () => {
  const queue = new EngineQueue()
  const waiting = queue.wait(signal)
  queue.rejectAll(new EngineBusy('closing'))
  await expect(waiting).rejects.toThrow('closing')
})
