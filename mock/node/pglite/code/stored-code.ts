import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mappedMemory } from '../../../engine/memory/mapped-memory.ts'
import { damaged, prune, readChecked, touch, writeChecked } from '../snapshot/cache-files.ts'
import { canStoreCode, codeOf, type Module, moduleOf } from './native-code.ts'
import { packageVersion } from '../snapshot/snapshot-key.ts'

/** Most files that are kept: each of our versions has two, with each version of V8 and each NODE_OPTIONS. */
const keptFiles = 8

/**
 * The file in a cache directory for the optimised code of a module (decisions/0045), whether it exists or not. Another version of
 * its package, of this one, of V8 or of the processor has another file.
 *
 * @param wasm path of the module's WebAssembly
 * @returns undefined if this version of V8 cannot store code
 */
export function codeFile(wasm: string, cacheDir: string): string | undefined {
  if (!canStoreCode) return undefined
  const { size, mtimeMs } = statSync(wasm)
  const { arch, env, versions } = process
  const own = packageVersion(dirname(fileURLToPath(import.meta.url)))
  const module = [basename(wasm), packageVersion(dirname(wasm)), size, mtimeMs, own]
  const key = JSON.stringify([...module, versions.v8, arch, cpus()[0]?.model, env['NODE_OPTIONS']])
  return join(cacheDir, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.code`)
}

/**
 * The module with its stored code.
 *
 * @param binary the content of the file `wasm`
 * @returns undefined if there is no code, or V8 has other flags. A damaged file is deleted.
 */
export async function loadCode(
  wasm: string,
  binary: Uint8Array,
  cacheDir: string,
): Promise<Module | undefined> {
  const file = codeFile(wasm, cacheDir)
  const code = file && readChecked(file, mappedMemory)
  if (code === damaged) await rm(file!, { force: true }).catch(() => {})
  if (!(code instanceof Uint8Array)) return undefined
  const module = moduleOf(code, binary)
  await touch(file!)
  return module
}

/** Stores the optimised code of a module in an existing directory. V8 ends the process if there is none. */
export async function storeCode(wasm: string, module: Module, cacheDir: string): Promise<void> {
  const file = codeFile(wasm, cacheDir)
  if (!file) return
  await writeChecked(file, codeOf(module))
  await prune(cacheDir, 'code', keptFiles)
}
