export { parseVariants, UnknownVariant } from './open-points/settings.ts'
export type { Duration } from '../base/time/duration.ts'
export type { Settings } from '../schemas/open-points.ts'
export type { Judge, JudgeReport, JudgeTask } from './app/admin/judge.ts'
export { AuthOptionsError, type JwtOptions } from './app/auth/jwt-options.ts'
export type { OAuthClient } from './app/auth/token-request.ts'
export {
  type Drip,
  type Expire,
  type Fault,
  FaultError,
  type FaultText,
  type Latency,
  type Limit,
  type Reset,
  type Status,
  type Strikes,
  type Timeout,
  type Truncate,
} from './app/faults/fault.ts'
export type { FaultList, Faults, FaultStatus } from './app/faults/faults.ts'
export { readFault as parseFault } from './app/faults/read-fault.ts'
export type { OtherWords } from './app/faults/words.ts'
export { type ScenarioName, scenarios } from '../fixtures/scenarios/index.ts'
export { connectSession, type SessionOptions } from './control/connect-session.ts'
export {
  type ClockControl,
  ControlError,
  type KeysByView,
  type RequestFilter,
  type RowControl,
  type SessionControl,
  type SessionRowsByView,
  type WaitOptions,
} from './control/session.ts'
export type { LoggedStatement, StatementLog } from './app/log/statement-log.ts'
export type { Stub, StubMatch } from './app/sessions/stubs.ts'
export { ServerError } from './node/http/listen.ts'
export { createReference, startServer, type Reference, type Server } from './node/server.ts'
export type { ReferenceOptions, ServerOptions } from './node/server-options.ts'
export type { LiveOptions } from './node/pglite/live/live-plant.ts'
