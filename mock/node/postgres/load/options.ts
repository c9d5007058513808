import type { Done } from './threads.ts'

export interface LoadOptions {
  /** The URL of the owner of the tables, see ../address.ts. */
  readonly url: string
  /** Default: public, if the database has no other tables. */
  readonly schema?: string
  /** The role that `serve` uses; created unless it exists. Default: bioprocess_reader. */
  readonly reader?: string
  /** The password of a role that is created. Default: none. */
  readonly readerPassword?: string
  /** The version of this package: another one may simulate other rows. */
  readonly version: string
  /** Threads, each with a connection. Default: 2. */
  readonly threads?: number
  /** Deletes a plant that `fixtures load` loaded before. */
  readonly restart?: boolean
  readonly onProgress?: (progress: Done & { readonly of: number }) => void
  readonly signal?: AbortSignal
}

/** Identifies the rows of a dataset. */
export const keyOf = (dataset: object, version: string): string => JSON.stringify({ ...dataset, version })
