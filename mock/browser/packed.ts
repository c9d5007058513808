/** The files of the engine of a page, as texts because every bundler and file server handles texts. */
export interface Packed {
  /** The code of the worker, as a script. */
  readonly worker: string
  /** pglite.wasm. Like all following files, it is compressed with gzip and written in base64. */
  readonly database: string
  /** pglite.data. */
  readonly files: string
  /** libpg-query.wasm. */
  readonly parser: string
  /** The data directory of `packedPlant`, see packed-data.ts. */
  readonly snapshot: string
}

/** Undefined in the sources: the build overwrites this module in dist/. */
export const packed: Packed | undefined = undefined
