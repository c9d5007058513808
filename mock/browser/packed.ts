/** What the engine of a page is made of. Texts, because every bundler and every server of files passes those on. */
export interface Packed {
  /** The worker's code, a script. */
  readonly worker: string
  /** pglite.wasm. This and all others: compressed with gzip, written in base64. */
  readonly database: string
  /** pglite.data. */
  readonly files: string
  /** libpg-query.wasm. */
  readonly parser: string
  /** The data directory of `packedPlant`, see packed-data.ts. */
  readonly snapshot: string
}

/** Not there in the sources: the build writes another module over this one in dist/. */
export const packed: Packed | undefined = undefined
