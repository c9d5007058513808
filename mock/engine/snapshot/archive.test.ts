import { expect, test } from 'vitest'
import { mappedMemory } from '../memory/mapped-memory.ts'
import { archiveOf } from './archive.ts'
import type { MemoryNode } from './large-files.ts'
import { readTar } from './tar.ts'

const parent = { name: 'data' }
const allocate = (bytes: number) => new Uint8Array(bytes)
const file = (contents: Uint8Array | Int8Array, usedBytes = contents.length) =>
  ({ parent, contents, usedBytes }) as MemoryNode

test('an archive has every directory and the used bytes of every file', () => {
  const contents = { written: file(Int8Array.of(-1, 2)), large: file(new Uint8Array(2000).fill(7), 1500) }
  const root = {
    contents: { PG_VERSION: file(Uint8Array.of(49, 56)), base: { contents }, empty: { contents: {} } },
  }
  const bytes = archiveOf(root, allocate)
  const read = readTar(bytes).map(({ path, directory, offset, size }) =>
    directory ? path : [path, [...bytes.subarray(offset, offset + size)]],
  )
  expect(read).toEqual([
    ['/PG_VERSION', [49, 56]],
    '/base',
    ['/base/written', [255, 2]],
    ['/base/large', Array(1500).fill(7)],
    '/empty',
  ])
  expect(bytes.length % 512).toBe(0)
})

test('large files give their memory back, but parts of a snapshot do not', () => {
  const large = file(mappedMemory(1 << 20))
  const snapshot = mappedMemory(1 << 20)
  archiveOf({ contents: { large, part: file(snapshot.subarray(512, 1024)) } }, allocate)
  expect(large.contents.buffer.byteLength).toBe(0)
  expect(snapshot.length).toBe(1 << 20)
})
