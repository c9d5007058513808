import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { readTar, type SnapshotEntry } from './tar.ts'

type InitArguments = Parameters<MemoryFS['init']>

/** The used part of emscripten's in-memory file system. */
interface MemoryNode {
  contents: Uint8Array
  usedBytes: number
  node_ops: { setattr(node: MemoryNode, attributes: { size?: number }): void }
  stream_ops: { write(...args: unknown[]): number }
}
interface EmscriptenFs {
  mkdirTree(path: string, mode: number): void
  create(path: string, mode: number): unknown
  lookupPath(path: string): { node: MemoryNode }
}

/**
 * PGlite's in-memory file system, filled with a snapshot without a copy: files are views on its bytes until their first
 * write. With the bytes in shared memory, a further engine only costs the memory that it writes.
 */
export class SnapshotFs extends MemoryFS {
  readonly #bytes: Uint8Array
  readonly #entries: readonly SnapshotEntry[]

  /** @throws Error if the bytes are not a snapshot */
  constructor(bytes: Uint8Array) {
    super()
    this.#bytes = bytes
    this.#entries = readTar(bytes)
  }

  override async init(...[pg, options]: InitArguments): ReturnType<MemoryFS['init']> {
    const fill = (mod: { FS: unknown }) => this.#fill(mod.FS as EmscriptenFs)
    const { emscriptenOpts } = await super.init(pg, options)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), fill] } }
  }

  #fill(fs: EmscriptenFs): void {
    const root = PGlite.paths.PGDATA
    fs.mkdirTree(root, 0o700)
    for (const { path, directory, offset, size } of this.#entries) {
      if (directory) fs.mkdirTree(root + path, 0o700)
      else {
        fs.create(root + path, 0o600)
        const contents = this.#bytes.subarray(offset, offset + size)
        lend(fs.lookupPath(root + path).node, contents)
      }
    }
  }
}

/** Lets a file share bytes with others: its first write or truncation copies them. */
function lend(node: MemoryNode, contents: Uint8Array): void {
  node.contents = contents
  node.usedBytes = contents.length
  const { node_ops, stream_ops } = node
  const own = () => {
    if (node.contents === contents) node.contents = contents.slice()
    node.node_ops = node_ops
    node.stream_ops = stream_ops
  }
  node.stream_ops = {
    ...stream_ops,
    write(...args) {
      own()
      return stream_ops.write(...args)
    },
  }
  node.node_ops = {
    ...node_ops,
    setattr(target, attributes) {
      if (attributes.size !== undefined) own()
      return node_ops.setattr(target, attributes)
    },
  }
}
