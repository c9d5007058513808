import { setFlagsFromString } from 'node:v8'

/** From this major version on V8 asks for more work of a function by itself before it compiles it again. */
const patientSince = 12

/**
 * Lets V8 check functions of WebAssembly when they are first called, where it compiles them, and translate them with its
 * optimising compiler later. With the budget of Node 20, 1.8 million, much of what a start runs once is compiled a second
 * time, and every further engine waits for it. Process-wide; holds for modules compiled from now on. Measured in
 * decisions/0013.
 */
export function compilePatiently(): void {
  if (Number.parseInt(process.versions.v8, 10) >= patientSince) return
  setFlagsFromString('--wasm-tiering-budget=60000000')
  setFlagsFromString('--wasm-lazy-validation')
}
