import { MemoryFS, PGlite } from '@electric-sql/pglite'
import type { Artifacts } from './artifacts.ts'
import { growLargeFiles } from './large-files.ts'
import { type EmscriptenFs, SharedFiles } from './shared-files.ts'
import { readTar, type SnapshotEntry } from './tar.ts'

type InitArguments = Parameters<MemoryFS['init']>

/** The part of emscripten's module that is used here. */
interface EmscriptenModule {
  readonly FS: unknown
  /** Creates each file of pglite.data from a part of it. */
  FS_createDataFile(path: string, name: null, contents: Uint8Array): void
}

/**
 * PGlite's in-memory file system over a snapshot and PGlite's own files, which are not copied: files are views of their bytes until
 * their first write. With the bytes in shared memory, a further engine only needs memory for the files that it writes. The
 * other options of the database are `snapshotOptions`.
 */
export class SnapshotFs extends MemoryFS {
  readonly #bytes: Uint8Array
  readonly #entries: readonly SnapshotEntry[]
  readonly #artifacts: Artifacts
  readonly #memory: object | undefined

  /**
   * @param memory the WebAssembly memory of the database. Default: one of up to 2 GB
   * @throws Error if the bytes are not a snapshot
   */
  constructor(bytes: Uint8Array, artifacts: Artifacts, memory?: object) {
    super()
    this.#bytes = bytes
    this.#entries = readTar(bytes)
    this.#artifacts = artifacts
    this.#memory = memory
  }

  override async init(...[pg, options]: InitArguments): ReturnType<MemoryFS['init']> {
    const fill = (module: object) => this.#fill(module as EmscriptenModule)
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun = [...(emscriptenOpts.preRun ?? []), fill]
    const wasmMemory = this.#memory
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun, ...(wasmMemory && { wasmMemory: wasmMemory as never }) },
    }
  }

  #fill(module: EmscriptenModule): void {
    const fs = module.FS as EmscriptenFs
    const files = new SharedFiles(fs)
    const root = PGlite.paths.PGDATA
    fs.mkdirTree(root, 0o700)
    for (const { path, directory, offset, size } of this.#entries)
      if (directory) fs.mkdirTree(root + path, 0o700)
      else files.create(root + path, 0o600, this.#bytes.subarray(offset, offset + size))
    // PGlite gets a buffer without content: see snapshotOptions
    module.FS_createDataFile = (path, _, { byteOffset, length }) =>
      files.create(path, 0o777, this.#artifacts.files.subarray(byteOffset, byteOffset + length))
    if (files.usualOperations) growLargeFiles(files.usualOperations, fs.lookupPath(root).node.node_ops)
  }
}
