import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import { StatementQueue } from './statement-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue for some places, all of them taken by nobody, and the order in which owners get them. */
function open(places: number) {
  let free = 0
  const served: string[] = []
  const queue = new StatementQueue<string>(places, () => (free > 0 ? `place ${free--}` : undefined))
  const { signal } = new AbortController()
  const ask = (owner: string, leaving = signal, maxWaitMs = 30_000) => {
    const place = queue.take({ owner, maxWaitMs, signal: leaving })
    place.then(
      () => served.push(owner),
      () => {},
    )
    return place
  }
  /** Frees places, of nobody or of an owner. */
  const give = async (count: number, owner?: string) => {
    free += count
    if (owner !== undefined) queue.release(owner)
    queue.serve()
    await vi.advanceTimersByTimeAsync(0)
    return served.splice(0).join(' ')
  }
  return { queue, ask, give }
}

test('statements of one owner get places in the order of their arrival', async () => {
  const { queue, ask, give } = open(2)
  const [first, second] = [ask('a'), ask('a')]
  await give(1)
  await give(1)
  expect([await first, await second]).toEqual(['place 1', 'place 1'])
  expect(queue.length).toBe(0)
})

test('an owner who is alone may have all places', async () => {
  const { ask, give } = open(3)
  for (let n = 0; n < 4; n++) ask('a')
  expect(await give(4)).toBe('a a a')
})

test('an owner leaves a place while another has sent a statement in the last minute', async () => {
  const { ask, give } = open(3)
  ask('b')
  expect(await give(1)).toBe('b')
  expect(await give(0, 'b')).toBe('')
  for (let n = 0; n < 4; n++) ask('a')
  expect(await give(3)).toBe('a a')
  await vi.advanceTimersByTimeAsync(29_000)
  ask('a', undefined, 60_000)
  await vi.advanceTimersByTimeAsync(32_000)
  expect(await give(0)).toBe('a')
})

test('an owner with half of the places waits for those who have fewer', async () => {
  const { ask, give } = open(5)
  for (let n = 0; n < 3; n++) ask('a')
  ask('b')
  ask('b')
  expect(await give(2)).toBe('a a')
  expect(await give(2)).toBe('b b')
  expect(await give(0)).toBe('')
})

test('an owner has too many places while another waits who has none', async () => {
  const { queue, ask, give } = open(3)
  ask('a')
  ask('a')
  await give(2)
  expect(queue.hasTooMany('a')).toBe(false)
  void ask('b')
  expect([queue.hasTooMany('a'), queue.hasTooMany('b')]).toEqual([true, false])
})

test('a statement that waits longer than its limit is refused', async () => {
  const { queue, ask } = open(1)
  const place = expect(ask('a')).rejects.toBeInstanceOf(EngineBusy)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(queue.length).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  await place
  expect(queue.length).toBe(0)
})

test('one owner cannot fill the queue for others', async () => {
  const { queue, ask, give } = open(1)
  for (let n = 0; n < 512; n++) ask('a')
  await expect(ask('a')).rejects.toBeInstanceOf(EngineBusy)
  ask('b')
  expect(queue.length).toBe(513)
  expect(await give(1)).toBe('a')
  expect(await give(1, 'a')).toBe('a')
})

test('the statement of a client that leaves is dropped', async () => {
  const { queue, ask, give } = open(1)
  const client = new AbortController()
  const left = expect(ask('a', client.signal)).rejects.toThrow('left')
  ask('b')
  client.abort(new Error('left'))
  await left
  expect(queue.length).toBe(1)
  expect(await give(1)).toBe('b')
})

test('all waiting statements are refused when the server closes', async () => {
  const { queue, ask } = open(1)
  const place = expect(ask('a')).rejects.toThrow('closing')
  queue.rejectAll(new EngineBusy('closing'))
  await place
})
