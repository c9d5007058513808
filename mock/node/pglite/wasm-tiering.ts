import { setFlagsFromString } from 'node:v8'

/** V8 has a larger budget by default since version 12. */
const hasSmallBudget = Number.parseInt(process.versions.v8, 10) < 12

/**
 * Makes V8 validate functions of WebAssembly at their first call, and optimise them later. With the budget of Node 20, 1.8
 * million, V8 also optimises functions that only a start runs, and every further engine waits for that. Applies to the whole
 * process and to modules that are compiled later. Measured in decisions/0047.
 */
export function deferWasmOptimisation(): void {
  if (!hasSmallBudget) return
  setFlagsFromString('--wasm-tiering-budget=60000000')
  setFlagsFromString('--wasm-lazy-validation')
}
