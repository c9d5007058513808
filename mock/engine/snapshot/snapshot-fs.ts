import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { mappedMemory } from '../mapped-memory.ts'
import { readTar, type SnapshotEntry } from './tar.ts'

type InitArguments = Parameters<MemoryFS['init']>

/** The part of emscripten's in-memory file system that is used here. */
interface MemoryNode {
  contents: Uint8Array
  usedBytes: number
  node_ops: { setattr(node: MemoryNode, attributes: { size?: number }): void }
  stream_ops: FileOperations
}
interface FileOperations {
  write(
    stream: { node: MemoryNode },
    from: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): number
}
interface EmscriptenFs {
  mkdirTree(path: string, mode: number): void
  create(path: string, mode: number): unknown
  lookupPath(path: string): { node: MemoryNode }
}

/**
 * PGlite's in-memory file system over a snapshot that is not copied: files are views of its bytes until their first write.
 * With the bytes in shared memory, a further engine only needs memory for the files that it writes.
 */
export class SnapshotFs extends MemoryFS {
  readonly #bytes: Uint8Array
  readonly #entries: readonly SnapshotEntry[]
  readonly #memory: object | undefined

  /**
   * @param memory the WebAssembly memory of the database. Default: one of up to 2 GB
   * @throws Error if the bytes are not a snapshot
   */
  constructor(bytes: Uint8Array, memory?: object) {
    super()
    this.#bytes = bytes
    this.#entries = readTar(bytes)
    this.#memory = memory
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
    if (operations) doubleFullFiles(operations)
  }
}

/**
 * Doubles the memory of a large file that is full. Emscripten adds an eighth, so it would copy a growing file again and again.
 *
 * @param operations those of all files, which are one object
 */
function doubleFullFiles(operations: FileOperations): void {
  const { write } = operations
  operations.write = (stream, from, offset, length, position) => {
    const { node } = stream
    const full = node.usedBytes >= largeFile && position + length > node.contents.length
    if (full) node.contents = copyOf(node.contents, Math.max(2 * node.contents.length, position + length))
    return write(stream, from, offset, length, position)
  }
}

const largeFile = 1 << 20

function copyOf(contents: Uint8Array, bytes = contents.length): Uint8Array {
  const copy = mappedMemory(bytes)
  copy.set(contents)
  return copy
}

/** Sets the content of a file to shared bytes; the first write or truncation copies them. */
function shareUntilWritten(node: MemoryNode, contents: Uint8Array): void {
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
