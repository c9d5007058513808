import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import { EngineQueue } from './engine-queue.ts'

const { signal } = new AbortController()

const wait = (queue: EngineQueue<string>, owner = 'a', isSlow = false, leaving = signal) =>
  queue.wait({ owner, isSlow: () => isSlow }, leaving)
const serve = (
  queue: EngineQueue<string>,
  place: string,
  takesSlow = true,
  used: Record<string, number> = {},
) =>
  queue.serve(
    () => place,
    takesSlow,
    (owner) => used[owner] ?? 0,
  )

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the queue gives places to statements in the order of their arrival', async () => {
  const queue = new EngineQueue<string>()
  const [first, second] = [wait(queue), wait(queue)]
  expect([serve(queue, 'a'), serve(queue, 'b'), serve(queue, 'c')]).toEqual([true, true, false])
  expect(await Promise.all([first, second])).toEqual(['a', 'b'])
  expect(queue.length).toBe(0)
})

test('a patient statement waits longer than others', async () => {
  const queue = new EngineQueue<string>()
  const patient = queue.wait({ owner: 'a', isSlow: () => false, patienceMs: 60_000 }, signal)
  vi.advanceTimersByTime(64_999)
  serve(queue, 'place')
  expect(await patient).toBe('place')
})

test('the queue refuses statements when it is full, and those that waited too long', async () => {
  const queue = new EngineQueue<string>()
  const all = Promise.allSettled(Array.from({ length: 512 }, () => wait(queue)))
  await expect(wait(queue)).rejects.toBeInstanceOf(EngineBusy)
  vi.advanceTimersByTime(4_999)
  expect(queue.length).toBe(512)
  vi.advanceTimersByTime(1)
  expect(queue.length).toBe(0)
  for (const { status } of await all) expect(status).toBe('rejected')
})

test('a queue full of slow statements has places for short ones, and the other way round', async () => {
  for (const isSlow of [true, false]) {
    const queue = new EngineQueue<string>()
    const others = Array.from({ length: 512 }, () => wait(queue, 'a', isSlow))
    await expect(wait(queue, 'a', isSlow)).rejects.toBeInstanceOf(EngineBusy)
    const statement = wait(queue, 'a', !isSlow)
    expect(queue.length).toBe(513)
    const all = Promise.allSettled([...others, statement])
    queue.rejectAll(new EngineBusy('closing'))
    await all
  }
})

test('the queue drops the statement of a client that disconnects', async () => {
  const queue = new EngineQueue<string>()
  const client = new AbortController()
  const left = wait(queue, 'a', false, client.signal)
  const stayed = wait(queue)
  client.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  serve(queue, 'a')
  expect(await stayed).toBe('a')
})

test('the queue refuses all waiting statements when the server closes', async () => {
  const queue = new EngineQueue<string>()
  const waiting = wait(queue)
  queue.rejectAll(new EngineBusy('closing'))
  await expect(waiting).rejects.toThrow('closing')
})

test('the queue prefers the owner that used the engines least', async () => {
  const queue = new EngineQueue<string>()
  const greedy = wait(queue, 'greedy')
  const modest = wait(queue, 'modest')
  serve(queue, 'first', true, { greedy: 900, modest: 3 })
  serve(queue, 'second')
  expect(await Promise.all([greedy, modest])).toEqual(['second', 'first'])
})

test('the queue prefers short statements, and keeps slow ones waiting for a place that takes them', async () => {
  const queue = new EngineQueue<string>()
  const slow = wait(queue, 'a', true)
  const short = wait(queue, 'a')
  expect(queue.slow).toBe(1)
  expect(serve(queue, 'first')).toBe(true)
  expect(serve(queue, 'second', false)).toBe(false)
  expect(serve(queue, 'third')).toBe(true)
  expect(await Promise.all([slow, short])).toEqual(['third', 'first'])
  expect(queue.slow).toBe(0)
})
