import type { HttpHandler } from 'msw'
import { mockFactory } from './create-mock.ts'

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

/** `createMock` of index.ts for a page: the engine runs in a worker of its own. */
export const createMock = mockFactory(async (options) => {
  const { createPageEngine } = await import('../browser/page-engine.ts')
  return createPageEngine(options)
})

/** Handlers for any origin and any token, over the smallest plant. */
export const handlers: readonly HttpHandler[] = createMock().handlers
