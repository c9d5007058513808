import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Artifacts } from '../../engine/artifacts.ts'
import { share } from './share.ts'

/** Directory of PGlite's built files. */
export const pgliteDirectory = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))

/** The types of WebAssembly are in the DOM library of TypeScript, which is not used here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<Artifacts['database']> }
}

/** Loads and compiles PGlite once for all threads. */
export async function loadArtifacts(): Promise<Artifacts> {
  const [database, files] = await Promise.all([
    readFile(join(pgliteDirectory, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes)),
    readFile(join(pgliteDirectory, 'pglite.data')).then(share),
  ])
  return { database, files }
}
