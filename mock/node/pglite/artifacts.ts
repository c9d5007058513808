import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Artifacts } from '../../engine/artifacts.ts'
import { mappedMemory } from '../../engine/mapped-memory.ts'

/** Directory of PGlite's built files. */
export const pgliteDirectory = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))

/** The types of WebAssembly are in the DOM library of TypeScript, which is not used here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<Artifacts['database']> }
}

/** Loads and compiles PGlite once for all threads. */
export async function loadArtifacts(): Promise<Artifacts> {
  const [database, files] = await Promise.all([
    readInto(mappedMemory, 'pglite.wasm').then((bytes) => WebAssembly.compile(bytes)),
    readInto((bytes) => new Uint8Array(new SharedArrayBuffer(bytes)), 'pglite.data'),
  ])
  return { database, files }
}

/** Reads one of PGlite's files into memory of the given kind. */
async function readInto(allocate: (bytes: number) => Uint8Array, name: string): Promise<Uint8Array> {
  const file = await open(join(pgliteDirectory, name))
  try {
    const { size } = await file.stat()
    const bytes = allocate(size)
    await file.read(bytes, 0, size)
    return bytes
  } finally {
    await file.close()
  }
}
