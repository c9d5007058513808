/**
 * The files of the engine of a page, as texts because every bundler and file server handles texts. They are compressed and written in
 * base64: with brotli, which few browsers can unpack, or with gzip.
 */
export interface Packed {
  /** The code of the worker, as a script; gzip. */
  readonly worker: string
  /** The WebAssembly that unpacks brotli; gzip. */
  readonly brotli: string
  /** pglite.wasm; brotli, as all following files. */
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
