import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Artifacts } from '../../engine/artifacts.ts'
import { mappedMemory } from '../../engine/mapped-memory.ts'
import { loadCode } from './stored-code.ts'

/** Directory of PGlite's built files. */
export const pgliteDirectory = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))

/** The database as WebAssembly. */
export const databaseFile = join(pgliteDirectory, 'pglite.wasm')

/** The types of WebAssembly are in the DOM library of TypeScript, which is not used here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<Artifacts['database']> }
}

/**
 * Loads and compiles PGlite once for all threads.
 *
 * @param codeFile file with optimised code, which is used if it fits
 */
export async function loadArtifacts(codeFile?: string): Promise<Artifacts> {
  const [database, files] = await Promise.all([
    loadDatabase(codeFile),
    readInto((bytes) => new Uint8Array(new SharedArrayBuffer(bytes)), join(pgliteDirectory, 'pglite.data')),
  ])
  return { database, files }
}

async function loadDatabase(codeFile: string | undefined): Promise<Artifacts['database']> {
  const binary = await readInto(mappedMemory, databaseFile)
  return (codeFile && (await loadCode(codeFile, binary))) || WebAssembly.compile(binary)
}

/** Reads a file into memory of the given kind. */
async function readInto(allocate: (bytes: number) => Uint8Array, path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const bytes = allocate(size)
    await file.read(bytes, 0, size)
    return bytes
  } finally {
    await file.close()
  }
}
