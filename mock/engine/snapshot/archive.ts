import { resize } from '../memory/mapped-memory.ts'
import type { MemoryNode } from './large-files.ts'
import { blockBytes, blocksOf, tarEnd, tarHeader } from './tar.ts'

/** A directory of emscripten's in-memory file system. */
export interface MemoryDirectory {
  readonly contents: Readonly<Record<string, MemoryNode | MemoryDirectory>>
}

/**
 * A tar archive of a directory. It cannot be used afterwards: the memory of large files goes back once they are copied, so that the files
 * and the archive do not take their place twice.
 *
 * @param allocate returns memory of a number of bytes for the archive
 */
export function archiveOf(directory: MemoryDirectory, allocate: (bytes: number) => Uint8Array): Uint8Array {
  const nodes = [...nodesIn(directory, '')]
  const bytes = allocate(nodes.reduce((sum, [, node]) => sum + blockBytes + blocksOf(sizeOf(node)), tarEnd))
  let at = 0
  for (const [path, node] of nodes) {
    bytes.set(tarHeader(path, sizeOf(node), !isFile(node)), at)
    at += blockBytes
    if (!isFile(node)) continue
    bytes.set(node.contents.subarray(0, node.usedBytes), at)
    at += blocksOf(node.usedBytes)
    release(node)
  }
  return bytes
}

function* nodesIn(
  { contents }: MemoryDirectory,
  path: string,
): Generator<[path: string, node: MemoryNode | MemoryDirectory]> {
  for (const [name, node] of Object.entries(contents)) {
    yield [`${path}/${name}`, node]
    if (!isFile(node)) yield* nodesIn(node, `${path}/${name}`)
  }
}

/** A file that was written once has an Int8Array. */
const isFile = (node: MemoryNode | MemoryDirectory): node is MemoryNode => ArrayBuffer.isView(node.contents)

const sizeOf = (node: MemoryNode | MemoryDirectory) => (isFile(node) ? node.usedBytes : 0)

/** Files that were never written are parts of the memory of a snapshot. */
function release({ contents }: MemoryNode): void {
  if (contents.length === contents.buffer.byteLength) resize(contents, 0)
}
