import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import type { Artifacts } from '../../../engine/snapshot/artifacts.ts'

export type Module = Artifacts['database']

/** The major versions of V8 that this was tested with: Node 20, 22 and 24. */
const testedVersions = [11, 12, 13]

/** Whether the compiled code of a module can be stored. Node has no interface for it; V8 has one for its tests. */
export const canStoreCode = testedVersions.includes(Number.parseInt(process.versions.v8 ?? '', 10))

/**
 * The optimised code of a module; functions without such code are left out.
 *
 * V8 ends the process if there is none, so this is for processes that may end.
 */
export const codeOf = (module: Module): Uint8Array =>
  new Uint8Array(native<ArrayBuffer>('%SerializeWasmModule(a)', module))

/**
 * A module with stored code.
 *
 * @param code what {@link codeOf} returned. V8 does not check it: other bytes may end the process.
 * @param binary the module in WebAssembly; must be that of the code
 * @returns undefined if another version of V8 wrote the code, or one with other flags or for another processor, or this one was
 * built without the function
 */
export function moduleOf(code: Uint8Array, binary: Uint8Array): Module | undefined {
  try {
    // the length of an array that follows its buffer is 0 for V8
    const whole = new Uint8Array(binary.buffer, 0, binary.length)
    return native('%DeserializeWasmModule(a, b)', code.buffer, whole)
  } catch {
    return undefined
  }
}

function native<Result>(call: string, a: unknown, b?: unknown): Result {
  const flag = 'allow-natives-syntax'
  setFlagsFromString(`--${flag}`)
  try {
    return runInThisContext(`(function (a, b) { return ${call} })`)(a, b)
  } finally {
    setFlagsFromString(`--no-${flag}`)
  }
}
