import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { mappedMemory } from '../../engine/mapped-memory.ts'
import { damaged, prune, readChecked, touch, writeChecked } from './cache-files.ts'
import { canStoreCode, codeOf, type Module, moduleOf } from './native-code.ts'
import { version } from './snapshot-key.ts'

/** Most files that are kept: each version of V8, and each set of its flags, has its own. */
const keptFiles = 4

/**
 * The file in a cache directory for the optimised code of the database (decisions/0045), whether it exists or not. Another PGlite,
 * V8 or processor has another file.
 *
 * @param wasm path of the database's WebAssembly
 * @returns undefined if this version of V8 cannot store code
 */
export async function codeFile(wasm: string, directory: string): Promise<string | undefined> {
  if (!canStoreCode) return undefined
  const { size, mtimeMs } = await stat(wasm)
  const { arch, env, versions } = process
  const database = [version('@electric-sql/pglite'), size, mtimeMs]
  const key = JSON.stringify([...database, versions.v8, arch, cpus()[0]?.model, env['NODE_OPTIONS']])
  return join(directory, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.code`)
}

/**
 * The module with the code of a file, for the same WebAssembly.
 *
 * @returns undefined if there is no such file, or V8 has other flags. A damaged file is deleted.
 */
export async function loadCode(file: string, binary: Uint8Array): Promise<Module | undefined> {
  const code = readChecked(file, mappedMemory)
  if (code === damaged) await rm(file, { force: true }).catch(() => {})
  if (!(code instanceof Uint8Array)) return undefined
  const module = moduleOf(code, binary)
  await touch(file)
  return module
}

/** Writes the optimised code of a module into an existing directory. V8 ends the process if there is none. */
export async function storeCode(file: string, module: Module): Promise<void> {
  await writeChecked(file, codeOf(module))
  await prune(dirname(file), 'code', keptFiles)
}
