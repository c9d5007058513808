import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Artifacts } from '../../../engine/snapshot/artifacts.ts'
import { mappedMemory } from '../../../engine/memory/mapped-memory.ts'
import type { Module } from './native-code.ts'
import { loadCode } from './stored-code.ts'

const { resolve } = createRequire(import.meta.url)

/** Directory of PGlite's built files. */
export const pgliteDirectory = dirname(resolve('@electric-sql/pglite'))

/** The WebAssembly of the database and of the parser. */
export const [databaseFile, parserFile] = [
  join(pgliteDirectory, 'pglite.wasm'),
  resolve('libpg-query/wasm/libpg-query.wasm'),
]

/** The types of WebAssembly are in the DOM library of TypeScript, which is not used here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<Module> }
}

/**
 * Loads and compiles PGlite and the parser once for all threads.
 *
 * @param cacheDir may have their code, which is used if it fits
 */
export async function loadArtifacts(cacheDir?: string): Promise<Artifacts> {
  const [database, parser, files] = await Promise.all([
    loadModule(databaseFile, cacheDir),
    loadModule(parserFile, cacheDir),
    readInto((bytes) => new Uint8Array(new SharedArrayBuffer(bytes)), join(pgliteDirectory, 'pglite.data')),
  ])
  return { database, parser, files }
}

async function loadModule(wasm: string, cacheDir: string | undefined): Promise<Module> {
  const binary = await readInto(mappedMemory, wasm)
  return (cacheDir !== undefined && (await loadCode(wasm, binary, cacheDir))) || WebAssembly.compile(binary)
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
