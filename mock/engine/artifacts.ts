import type { PGliteOptions } from '@electric-sql/pglite'

/** The parts of PGlite that every engine needs and that are loaded once. */
export interface Artifacts {
  /** pglite.wasm, compiled. */
  readonly database: NonNullable<PGliteOptions['pgliteWasmModule']>
  /** pglite.data: the files PostgreSQL expects around it. May be shared memory. */
  readonly files: Uint8Array
}

/** The options that hand the parts to PGlite, which would otherwise load them itself. */
export function artifactOptions({ database, files }: Artifacts): PGliteOptions {
  // a Blob takes no shared memory
  return { pgliteWasmModule: database, fsBundle: new Blob([new Uint8Array(files)]) }
}
