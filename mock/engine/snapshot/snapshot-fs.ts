import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { readTar, type SnapshotEntry } from './tar.ts'

type InitArguments = Parameters<MemoryFS['init']>

/** The part of emscripten's in-memory file system that is used here. */
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
 * PGlite's in-memory file system over a snapshot that is not copied: files are views of its bytes until their first write.
 * With the bytes in shared memory, a further engine only needs memory for the files that it writes.
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
        shareUntilWritten(fs.lookupPath(root + path).node, contents)
      }
    }
  }
}

/** Sets the content of a file to shared bytes; the first write or truncation copies them. */
function shareUntilWritten(node: MemoryNode, contents: Uint8Array): void {
  node.contents = contents
  node.usedBytes = contents.length
  const { node_ops, stream_ops } = node
  const copy = () => {
    if (node.contents === contents) node.contents = contents.slice()
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
