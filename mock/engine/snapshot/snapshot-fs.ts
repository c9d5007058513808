import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { mappedMemory } from '../mapped-memory.ts'
import type { MemoryTurn } from '../memory-turn.ts'
import {
  type DirectoryOperations,
  type FileOperations,
  growLargeFiles,
  type MemoryNode,
} from './large-files.ts'
import { readTar, type SnapshotEntry } from './tar.ts'

type InitArguments = Parameters<MemoryFS['init']>

/** The part of emscripten's in-memory file system that is used here. */
interface FileNode extends MemoryNode {
  node_ops: DirectoryOperations & { setattr(node: FileNode, attributes: { size?: number }): void }
  stream_ops: FileOperations
}
interface EmscriptenFs {
  mkdirTree(path: string, mode: number): void
  create(path: string, mode: number): unknown
  lookupPath(path: string): { node: FileNode }
}

/**
 * PGlite's in-memory file system over a snapshot that is not copied: files are views of its bytes until their first write.
 * With the bytes in shared memory, a further engine only needs memory for the files that it writes.
 */
export class SnapshotFs extends MemoryFS {
  readonly #bytes: Uint8Array
  readonly #entries: readonly SnapshotEntry[]
  readonly #memory: object | undefined
  readonly #turn: MemoryTurn | undefined

  /**
   * @param memory the WebAssembly memory of the database. Default: one of up to 2 GB
   * @param turn lets one engine at a time have many large files. Default: all may
   * @throws Error if the bytes are not a snapshot
   */
  constructor(bytes: Uint8Array, memory?: object, turn?: MemoryTurn) {
    super()
    this.#bytes = bytes
    this.#entries = readTar(bytes)
    this.#memory = memory
    this.#turn = turn
  }

  override async init(...[pg, options]: InitArguments): ReturnType<MemoryFS['init']> {
    const fill = (mod: { FS: unknown }) => this.#fill(mod.FS as EmscriptenFs)
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun = [...(emscriptenOpts.preRun ?? []), fill]
    const wasmMemory = this.#memory
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun, ...(wasmMemory && { wasmMemory: wasmMemory as never }) },
    }
  }

  #fill(fs: EmscriptenFs): void {
    const root = PGlite.paths.PGDATA
    let operations: FileOperations | undefined
    fs.mkdirTree(root, 0o700)
    for (const { path, directory, offset, size } of this.#entries) {
      if (directory) fs.mkdirTree(root + path, 0o700)
      else {
        fs.create(root + path, 0o600)
        const { node } = fs.lookupPath(root + path)
        operations = node.stream_ops
        shareUntilWritten(node, this.#bytes.subarray(offset, offset + size))
      }
    }
    if (operations) growLargeFiles(operations, fs.lookupPath(root).node.node_ops, this.#turn)
  }
}

function copyOf(contents: Uint8Array): Uint8Array {
  const copy = mappedMemory(contents.length)
  copy.set(contents)
  return copy
}

/** Sets the content of a file to shared bytes; the first write or truncation copies them. */
function shareUntilWritten(node: FileNode, contents: Uint8Array): void {
  node.contents = contents
  node.usedBytes = contents.length
  const { node_ops, stream_ops } = node
  const copy = () => {
    if (node.contents === contents) node.contents = copyOf(contents)
    node.node_ops = node_ops
    node.stream_ops = stream_ops
  }
  node.stream_ops = {
    ...stream_ops,
    write(...args) {
      copy()
      return stream_ops.write(...args)
    },
  }
  node.node_ops = {
    ...node_ops,
    setattr(target, attributes) {
      if (attributes.size !== undefined) copy()
      return node_ops.setattr(target, attributes)
    },
  }
}
