import { expect, test } from 'vitest'
import { chunkBytes, firstChunkBytes, SpareMemory } from './spare-memory.ts'

test.each([firstChunkBytes, chunkBytes])('%i bytes that were given back are taken again, once', (bytes) => {
  const memory = new SpareMemory()
  const first = memory.take(bytes)
  memory.add([first.buffer])
  expect(memory.take(bytes).buffer).toBe(first.buffer)
  expect(memory.take(bytes).buffer).not.toBe(first.buffer)
})

test('spare memory has the size of a chunk', () => {
  const memory = new SpareMemory()
  memory.add([new ArrayBuffer(8), new ArrayBuffer(chunkBytes * 2)])
  expect(memory.take(chunkBytes).byteLength).toBe(chunkBytes)
  memory.add([new ArrayBuffer(chunkBytes)])
  expect(memory.take(chunkBytes + 1).byteLength).toBe(chunkBytes + 1)
  expect(memory.take(8).byteLength).toBe(8)
})

test('the number of spares is bounded', () => {
  const memory = new SpareMemory()
  const buffers = Array.from({ length: 100 }, () => new ArrayBuffer(chunkBytes))
  memory.add(buffers)
  const taken = Array.from({ length: 100 }, () => memory.take(chunkBytes).buffer)
  expect(taken.filter((buffer) => buffers.includes(buffer))).toHaveLength(16)
})
