import type { HttpHandler } from 'msw'
import { type Boot, mockFactory } from './create-mock.ts'
import type { MockEngine } from './lazy-engine.ts'

export type { MockControls, MockSession } from './controls.ts'
export type { Mock } from './create-mock.ts'
export type { ErrorKind } from '../app/sessions/contract-answers.ts'
export { on, type OnOptions } from './on.ts'
export { type Fault, FaultError, type FaultText } from '../app/faults/fault.ts'
export { readFault as parseFault } from '../app/faults/read-fault.ts'
export type { OtherWords } from '../app/faults/words.ts'
export { type ScenarioName, scenarios } from '../../fixtures/scenarios/index.ts'
export { MockError, type MockOptions, type OwnRows } from './options.ts'
export type { RecordedFilter, RecordedRequest } from './request-log.ts'
export { ControlError } from '../control/session.ts'
export { parseVariants } from '../open-points/settings.ts'
export type { Duration } from '../../base/time/duration.ts'
export type { Settings } from '../../schemas/open-points.ts'
export type { Stub, StubMatch } from '../app/sessions/stubs.ts'

/**
 * Creates a reference server for msw: real SQL over simulated data. The engine starts with the first request.
 *
 * @example
 * const mock = createMock({ baseUrl: 'https://api.example.com', token: 'secret' })
 * const server = setupServer(...mock.handlers)
 *
 * @throws MockError for a base URL or a token that is none, RangeError for numbers out of bounds
 * @throws UnknownVariant for a variant the server does not have
 */
export const createMock = mockFactory(startEngine)

/** The shared engine of the test run, if there is one and it has the rows; else an engine of this mock. */
async function startEngine(options: Boot): Promise<MockEngine> {
  const { dataset } = options
  const shared = dataset
    ? undefined
    : await (await import('../node/shared-engine/connect.ts')).connectEngine(options)
  if (shared) return shared
  const { createNodeEngine, withKey } = await import('../node/pglite/index.ts')
  return createNodeEngine(dataset ? { ...options, dataset: withKey(dataset) } : options)
}

/**
 * Handlers for any origin and any token, over the smallest plant.
 * @example const server = setupServer(...handlers)
 */
export const handlers: readonly HttpHandler[] = createMock().handlers
