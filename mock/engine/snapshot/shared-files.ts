import { mappedMemory } from '../memory/mapped-memory.ts'
import type { MemoryDirectory } from './archive.ts'
import type { DirectoryOperations, FileOperations, MemoryNode } from './large-files.ts'

/** The part of emscripten's in-memory file system that is used here. */
export interface EmscriptenFs {
  mkdirTree(path: string, mode: number): void
  lookupPath(path: string): { node: DirectoryNode }
}
interface DirectoryNode extends MemoryDirectory {
  readonly node_ops: DirectoryOperations & {
    mknod(parent: DirectoryNode, name: string, mode: number, device: number): FileNode
  }
}
interface FileNode extends MemoryNode {
  node_ops: NodeOperations
  stream_ops: FileOperations
}
interface NodeOperations {
  setattr(node: FileNode, attributes: { size?: number }): void
}

/** S_IFREG of stat(2). */
const regularFile = 0o100000

/**
 * Creates files that are views of shared bytes until their first write or truncation, which copies them. Looks each directory up
 * once: emscripten's own functions look up several paths for each of 1,600 files.
 */
export class SharedFiles {
  readonly #fs: EmscriptenFs
  readonly #directories = new Map<string, DirectoryNode>()
  #usual: FileOperations | undefined
  #shared: Pick<FileNode, 'node_ops' | 'stream_ops'> | undefined

  constructor(fs: EmscriptenFs) {
    this.#fs = fs
  }

  /** Creates a file in a directory that exists. */
  create(path: string, permissions: number, contents: Uint8Array): void {
    const slash = path.lastIndexOf('/')
    const directory = this.#directory(path.slice(0, slash) || '/')
    const node = directory.node_ops.mknod(directory, path.slice(slash + 1), regularFile | permissions, 0)
    this.#shared ??= this.#copyOnWrite(node)
    node.node_ops = this.#shared.node_ops
    node.stream_ops = this.#shared.stream_ops
    node.contents = contents
    node.usedBytes = contents.length
  }

  /** What emscripten does with open files that are not shared; undefined before the first file. */
  get usualOperations(): FileOperations | undefined {
    return this.#usual
  }

  #directory(path: string): DirectoryNode {
    const known = this.#directories.get(path)
    if (known) return known
    const { node } = this.#fs.lookupPath(path)
    this.#directories.set(path, node)
    return node
  }

  #copyOnWrite({ node_ops, stream_ops }: FileNode): Pick<FileNode, 'node_ops' | 'stream_ops'> {
    this.#usual = stream_ops
    const copy = (node: FileNode, most?: number) => {
      // a stream that was opened before the copy still has the operations of shared files
      if (node.stream_ops === stream_ops) return
      node.contents = copyOf(node.contents.subarray(0, most))
      node.node_ops = node_ops
      node.stream_ops = stream_ops
    }
    return {
      stream_ops: {
        ...stream_ops,
        write(stream, ...args) {
          copy(stream.node as FileNode)
          return stream_ops.write(stream, ...args)
        },
      },
      node_ops: {
        ...node_ops,
        setattr(node, attributes) {
          if (attributes.size !== undefined) copy(node, attributes.size)
          return node_ops.setattr(node, attributes)
        },
      },
    }
  }
}

function copyOf(contents: Uint8Array): Uint8Array {
  const copy = mappedMemory(contents.length)
  copy.set(contents)
  return copy
}
