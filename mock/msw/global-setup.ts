import { lastHour } from '../../fixtures/default-plant.ts'
import type { GeneratorOptions } from '../../fixtures/generator-options.ts'
import { addressVariable } from '../node/shared-engine/messages.ts'
import { serveEngines, type SharedEngines } from '../node/shared-engine/serve.ts'
import { checkedOptions, hourVariable, type MockOptions } from './options.ts'

let engines: SharedEngines | undefined

/** The options of `createMock` that choose its engine. */
export type PreparedMock = Pick<MockOptions, keyof GeneratorOptions | 'timeLimitMs'>

/**
 * Starts an engine for all workers of a test run, which `createMock` then uses instead of an engine of its own, and builds what the first
 * use of a plant needs: its rows, and the runs that the first move of its time needs. Mocks with other options share an engine too, which
 * starts with the first of them.
 *
 * @param mocks the options of the mocks; each may have only those that choose the engine
 * @returns a function that ends the engines
 * @example export default () => prepare({ seed: 2 }, { asOf: 'now', runs: 3 }) // the file global-setup.mjs
 * @throws MockError, RangeError as `createMock`
 */
export async function prepare(...mocks: readonly PreparedMock[]): Promise<() => Promise<void>> {
  process.env[hourVariable] = lastHour()
  const checked = mocks.map((mock) => checkedOptions(mock))
  const serving = (engines ??= await serveEngines())
  process.env[addressVariable] = serving.address
  await Promise.all(checked.map(({ plant, timeLimitMs }) => serving.prepare({ ...plant, timeLimitMs })))
  return teardown
}

/**
 * Prepares the mock without options, see {@link prepare}. A module for the option `globalSetup` of Vitest and Jest, and for
 * `--test-global-setup` of node:test.
 */
export const setup = (): Promise<() => Promise<void>> => prepare({})

/** Ends the engines. Not needed by Jest, whose process does not wait for them. */
export async function teardown(): Promise<void> {
  const ending = engines
  engines = undefined
  delete process.env[addressVariable]
  delete process.env[hourVariable]
  await ending?.close()
}

export { setup as default, setup as globalSetup, teardown as globalTeardown }
