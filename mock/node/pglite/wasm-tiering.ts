import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 validate functions of WebAssembly at their first call, and optimise them only when they have run for long. With its own
 * budget, V8 also optimises functions that only a start runs, and every further engine waits for that. Applies to the whole process
 * and to modules that are compiled later.
 */
export function deferWasmOptimisation(): void {
  setFlagsFromString('--wasm-tiering-budget=600000000')
  setFlagsFromString('--wasm-lazy-validation')
}
