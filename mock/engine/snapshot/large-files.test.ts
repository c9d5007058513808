import { expect, test } from 'vitest'
import { growLargeFiles, type MemoryNode } from './large-files.ts'

/** A file system like that of emscripten, with one directory. */
function openDirectory(name: string) {
  const contents: Record<string, MemoryNode> = {}
  const parent = { name, contents }
  const files = {
    write(
      { node }: { node: MemoryNode },
      from: Uint8Array,
      _: number,
      length: number,
      position: number,
      mayKeep?: boolean,
    ) {
      if (mayKeep) node.contents = from
      if (node.contents.length < position + length) {
        const longer = new Uint8Array(position + length)
        longer.set(node.contents)
        node.contents = longer
      }
      node.contents.set(from, position)
      node.usedBytes = Math.max(node.usedBytes, position + length)
      return length
    },
  }
  const directories = { unlink: (_: unknown, file: string) => void delete contents[file] }
  growLargeFiles(files, directories)
  return {
    create: (file: string) => (contents[file] = { parent, contents: new Uint8Array(), usedBytes: 0 }),
    keep: (node: MemoryNode, bytes: Uint8Array) => files.write({ node }, bytes, 0, bytes.length, 0, true),
    append: (node: MemoryNode, bytes: Uint8Array) =>
      files.write({ node }, bytes, 0, bytes.length, node.usedBytes),
    remove: (file: string) => directories.unlink(parent, file),
  }
}

const megabyte = (value: number) => new Uint8Array(1 << 20).fill(value)

test('a large file grows where it is and keeps its bytes', () => {
  const directory = openDirectory('base')
  const file = directory.create('1')
  for (let n = 0; n < 3; n++) directory.append(file, megabyte(n))
  const { buffer } = file.contents
  for (let n = 3; n < 40; n++) directory.append(file, megabyte(n))
  expect(file.contents.buffer).toBe(buffer)
  expect(file.usedBytes).toBe(40 << 20)
  expect(Array.from({ length: 40 }, (_, n) => file.contents[((n + 1) << 20) - 1])).toEqual([
    ...Array(40).keys(),
  ])
})

test('a file keeps bytes that it need not copy', () => {
  const directory = openDirectory('base')
  const [file, bytes] = [directory.create('1'), megabyte(1)]
  directory.keep(file, bytes)
  expect(file.contents).toBe(bytes)
})

test('the memory of a large temporary file goes back when the file is deleted', () => {
  const directory = openDirectory('pgsql_tmp')
  const file = directory.create('1')
  for (let n = 0; n < 3; n++) directory.append(file, megabyte(n))
  directory.remove('1')
  expect(file.contents.buffer.byteLength).toBe(0)
})

test('a file that is not temporary may be open when it is deleted, and keeps its bytes', () => {
  const directory = openDirectory('base')
  const file = directory.create('1')
  for (let n = 0; n < 3; n++) directory.append(file, megabyte(n))
  directory.remove('1')
  expect(file.contents[file.usedBytes - 1]).toBe(2)
})
