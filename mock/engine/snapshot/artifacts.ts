import { mappedMemory } from '../memory/mapped-memory.ts'

/** Not the types of PGlite, which have errors that users would see, and not those of WebAssembly, which are a browser's. */
type CompiledModule = object

/** The parts of PGlite that every engine needs; they are loaded once. */
export interface Artifacts {
  /** pglite.wasm, compiled. */
  readonly database: CompiledModule
  /** pglite.data: the files PostgreSQL expects around it. May be shared memory. */
  readonly files: Uint8Array
  /** The bytes of libpg-query.wasm, for the settings that read the syntax of a statement. Default: its own file */
  readonly parser?: Uint8Array
}

/** The options that pass the parts to PGlite, which would otherwise load them itself. */
export const artifactOptions = ({ database, files }: Artifacts) => ({
  pgliteWasmModule: database,
  fsBundle: new LazyBlob(files),
})

/**
 * The options for a start from a snapshot with SnapshotFs. It never runs initdb, which PGlite would load anyway. SnapshotFs creates PGlite's
 * files without a copy of them, so PGlite gets memory that nobody touches, which takes no place.
 */
export const snapshotOptions = ({ database, files }: Artifacts) => ({
  pgliteWasmModule: database,
  initdbWasmModule: database,
  fsBundle: new UnusedBlob(files.length),
})

/** PGlite checks its length only. */
class UnusedBlob extends Blob {
  readonly #bytes: number

  constructor(bytes: number) {
    super([])
    this.#bytes = bytes
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return mappedMemory(this.#bytes).buffer
  }
}

/** Copies its pieces once and on demand; a plain Blob copies slowly, and twice. */
export class LazyBlob extends Blob {
  readonly #pieces: readonly Uint8Array[]

  constructor(...pieces: readonly Uint8Array[]) {
    super([])
    this.#pieces = pieces
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const copy = mappedMemory(this.#pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of this.#pieces) {
      copy.set(piece, at)
      at += piece.length
    }
    return copy.buffer
  }
}
