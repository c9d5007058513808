import { serveEngines, type SharedEngines } from './serve.ts'
import { addressVariable } from './messages.ts'

let engines: SharedEngines | undefined

/**
 * Starts one engine for all workers of a test run, which `createMock` then uses instead of an engine of its own. A module
 * for the option `globalSetup` of Vitest and Jest, and for `--test-global-setup` of node:test.
 */
export async function setup(): Promise<void> {
  engines ??= await serveEngines()
  process.env[addressVariable] = engines.address
}

/** Ends the engine. Not needed by Jest, whose process does not wait for it. */
export async function teardown(): Promise<void> {
  const ending = engines
  engines = undefined
  delete process.env[addressVariable]
  await ending?.close()
}

export { setup as default, setup as globalSetup, teardown as globalTeardown }
