import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Artifacts } from '../../engine/snapshot/artifacts.ts'
import { mappedMemory } from '../../engine/memory/mapped-memory.ts'

const { resolve } = createRequire(import.meta.url)

/** Directory of PGlite's built files. */
export const pgliteDirectory = dirname(resolve('@electric-sql/pglite'))

/** The types of WebAssembly are in the DOM library of TypeScript, which is not used here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<object> }
}

/** Loads and compiles PGlite once for all threads. */
export async function loadArtifacts(): Promise<Artifacts> {
  const [database, files] = await Promise.all([
    loadModule(join(pgliteDirectory, 'pglite.wasm')),
    readInto((bytes) => new Uint8Array(new SharedArrayBuffer(bytes)), join(pgliteDirectory, 'pglite.data')),
  ])
  return { database, files }
}

const loadModule = async (wasm: string): Promise<object> =>
  WebAssembly.compile(await readInto(mappedMemory, wasm))

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
