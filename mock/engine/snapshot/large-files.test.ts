import { expect, test } from 'vitest'
import { MemoryTurn, sharedTurn } from '../memory/memory-turn.ts'
import { growLargeFiles, type MemoryNode, usualFileBytes } from './large-files.ts'

const [nobody, thisThread] = [0, 7]

/** A file system like that of emscripten, with one directory. */
function openDirectory(name: string) {
  const shared = sharedTurn()
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
  growLargeFiles(files, directories, new MemoryTurn(shared, thisThread))
  return {
    create: (file: string) => (contents[file] = { parent, contents: new Uint8Array(), usedBytes: 0 }),
    keep: (node: MemoryNode, bytes: Uint8Array) => files.write({ node }, bytes, 0, bytes.length, 0, true),
    append: (node: MemoryNode, bytes: Uint8Array) =>
      files.write({ node }, bytes, 0, bytes.length, node.usedBytes),
    remove: (file: string) => directories.unlink(parent, file),
    holder: () => new Int32Array(shared)[0],
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

test('an engine has the turn as long as its large files need much memory', () => {
  const directory = openDirectory('pgsql_tmp')
  const files = ['1', '2'].map(directory.create)
  const megabytes = usualFileBytes >> 20
  for (let n = 0; n < megabytes / 2; n++) for (const file of files) directory.append(file, megabyte(n))
  expect(directory.holder()).toBe(nobody)
  directory.append(files[0]!, megabyte(0))
  expect(directory.holder()).toBe(thisThread)
  directory.remove('2')
  expect(directory.holder()).toBe(nobody)
})

test('tables and the log need no turn, however large they are', () => {
  const directory = openDirectory('base')
  const file = directory.create('1')
  for (let n = 0; n < (2 * usualFileBytes) >> 20; n++) directory.append(file, megabyte(n))
  expect(directory.holder()).toBe(nobody)
})
