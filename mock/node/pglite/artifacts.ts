import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Artifacts } from '../../engine/artifacts.ts'
import { share } from './share.ts'

/** Directory of PGlite's built files. */
export const pgliteDirectory = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))

/** TypeScript has the types of WebAssembly only together with those of a browser. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<Artifacts['database']> }
}

/** Loads and compiles PGlite once; threads receive the result instead of repeating it. */
export async function loadArtifacts(): Promise<Artifacts> {
  const [database, files] = await Promise.all([
    readFile(join(pgliteDirectory, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes)),
    readFile(join(pgliteDirectory, 'pglite.data')).then(share),
  ])
  return { database, files }
}
