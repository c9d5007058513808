import { expect, test } from 'vitest'
import { pipelineDepth, SmallReplies } from './small-replies.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

test('rows of as many statements as are sent ahead are read as they were written', () => {
  const engine = new SmallReplies()
  const main = new SmallReplies(engine.shared)
  const numbers = Array.from({ length: pipelineDepth }, (_, index) => 7 + index)
  for (const number of numbers) expect(engine.write(number, [bytes(number), bytes(1, 2)])).toBe(3)
  for (const number of numbers) expect(main.read(number, 3)).toEqual([bytes(number, 1, 2)])
})

test('rows that were read stay when their place is written again', () => {
  const replies = new SmallReplies()
  replies.write(1, [bytes(1)])
  const rows = replies.read(1, 1)
  replies.write(1 + pipelineDepth, [bytes(2)])
  expect(rows).toEqual([bytes(1)])
})

test('rows that do not fit are not written', () => {
  const replies = new SmallReplies()
  const most = new Uint8Array(16_384).fill(1)
  expect(replies.write(1, [most])).toBe(16_384)
  expect(replies.write(2, [most.fill(2), bytes(2)])).toBeUndefined()
  expect(new Set(replies.read(1, 16_384)[0])).toEqual(new Set([1]))
})
