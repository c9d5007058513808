import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inParallel } from './in-parallel.ts'

test('works on no more items at a time than the width', async () => {
  let [now, most] = [0, 0]
  const done: number[] = []
  await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++now)
    await setTimeout(1)
    now--
    done.push(item)
  })
  expect([most, done.toSorted()]).toEqual([2, [1, 2, 3, 4, 5]])
})

test('no item begins after a failure, and those that have begun end before it is thrown', async () => {
  const [begun, ended]: [number[], number[]] = [[], []]
  const work = async (item: number) => {
    begun.push(item)
    await setTimeout(item)
    if (item === 1) throw new Error('first')
    ended.push(item)
  }
  await expect(inParallel([1, 20, 3, 4], 2, work)).rejects.toThrow('first')
  expect([begun, ended]).toEqual([[1, 20], [20]])
})
