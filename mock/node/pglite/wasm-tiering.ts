import { setFlagsFromString } from 'node:v8'

/** From this major version on V8 compiles WebAssembly no more eagerly than is asked for here. */
const patientSince = 12

/**
 * Lets V8 translate WebAssembly with its optimising compiler later: its first budget per function spends more time
 * compiling what a start runs once than an engine's whole start takes, and each engine that starts pays again.
 * 13 million is the budget of later versions of V8. Holds for modules that are compiled from now on.
 */
export function compilePatiently(): void {
  if (Number.parseInt(process.versions.v8, 10) < patientSince)
    setFlagsFromString('--wasm-tiering-budget=60000000')
}
