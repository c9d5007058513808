import type { HttpHandler } from 'msw'
import { mockFactory } from './create-mock.ts'

export type { MockControls, MockSession } from './controls.ts'
export type { Mock } from './create-mock.ts'
export type { ErrorKind } from '../app/sessions/contract-answers.ts'
export { on, type OnOptions } from './on.ts'
export { type Fault, FaultError } from '../app/faults/fault.ts'
export { MockError, type MockOptions, type OwnRows } from './options.ts'
export type { RecordedFilter, RecordedRequest } from './request-log.ts'
export { ControlError } from '../control/session.ts'
export type { Stub, StubMatch } from '../app/sessions/stubs.ts'

/** `createMock` of index.ts for a page: the engine runs in a worker of its own. */
export const createMock = mockFactory(async (options) => {
  const { createPageEngine } = await import('../browser/page-engine.ts')
  return createPageEngine(options)
})

/** Handlers for any origin and any token, over the smallest plant. */
export const handlers: readonly HttpHandler[] = createMock().handlers
