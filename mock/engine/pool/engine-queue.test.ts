import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import { EngineQueue } from './engine-queue.ts'
import type { EngineThread } from './engine-thread.ts'

const engine = (name: string) => name as unknown as EngineThread
const { signal } = new AbortController()

const wait = async (queue: EngineQueue, owner = 'a', isSlow = false, leaving = signal) =>
  (await queue.wait({ owner, isSlow: () => isSlow }, leaving)).thread
const offer = (queue: EngineQueue, name: string, takesSlow = true, used: Record<string, number> = {}) =>
  queue.offer(engine(name), takesSlow, (owner) => used[owner] ?? 0) !== undefined

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the queue gives engines to statements in the order of their arrival', async () => {
  const queue = new EngineQueue()
  const [first, second] = [wait(queue), wait(queue)]
  expect([offer(queue, 'a'), offer(queue, 'b'), offer(queue, 'c')]).toEqual([true, true, false])
  expect(await Promise.all([first, second])).toEqual(['a', 'b'])
  expect(queue.length).toBe(0)
})

test('the queue refuses statements when it is full, and those that waited too long', async () => {
  const queue = new EngineQueue()
  const all = Promise.allSettled(Array.from({ length: 512 }, () => wait(queue)))
  await expect(wait(queue)).rejects.toBeInstanceOf(EngineBusy)
  vi.advanceTimersByTime(4_999)
  expect(queue.length).toBe(512)
  vi.advanceTimersByTime(1)
  expect(queue.length).toBe(0)
  for (const { status } of await all) expect(status).toBe('rejected')
})

test('the queue drops the statement of a client that disconnects', async () => {
  const queue = new EngineQueue()
  const client = new AbortController()
  const left = wait(queue, 'a', false, client.signal)
  const stayed = wait(queue)
  client.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  offer(queue, 'a')
  expect(await stayed).toBe('a')
})

test('the queue refuses all waiting statements when the server closes', async () => {
  const queue = new EngineQueue()
  const waiting = wait(queue)
  queue.rejectAll(new EngineBusy('closing'))
  await expect(waiting).rejects.toThrow('closing')
})

test('the queue prefers the owner that used the engines least', async () => {
  const queue = new EngineQueue()
  const greedy = wait(queue, 'greedy')
  const modest = wait(queue, 'modest')
  offer(queue, 'first', true, { greedy: 900, modest: 3 })
  offer(queue, 'second')
  expect(await Promise.all([greedy, modest])).toEqual(['second', 'first'])
})

test('the queue prefers short statements, and keeps slow ones waiting for an engine that takes them', async () => {
  const queue = new EngineQueue()
  const slow = wait(queue, 'a', true)
  const short = wait(queue, 'a')
  expect(queue.slow).toBe(1)
  expect(offer(queue, 'first')).toBe(true)
  expect(offer(queue, 'second', false)).toBe(false)
  expect(offer(queue, 'third')).toBe(true)
  expect(await Promise.all([slow, short])).toEqual(['third', 'first'])
  expect(queue.slow).toBe(0)
})
