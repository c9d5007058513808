export { createClient, type Client, type ExecuteOptions, type QueryOptions } from './client.ts'
export type { ChangeColumnOf, Delta, DeltaOptions } from './deltas/deltas.ts'
export {
  AccessRefused,
  AnswerTooLarge,
  ClientError,
  ClientUsageError,
  ConnectionFailed,
  ExecutionFailed,
  ServiceBusy,
  StatementError,
  StatementSyntaxError,
  TimeLimitExceeded,
  TruncatedResult,
  UnexpectedAnswer,
  UnknownView,
} from './errors.ts'
export type { JoinOptions } from './joined.ts'
export { quote, type DateLiteral } from './literals.ts'
export type { ClientOptions } from './options.ts'
export type { Points, PointsOptions } from './points/points.ts'
export { toDate, type RowsOf, type WithDates } from './rows/timestamps.ts'
export type { ColumnOf, SelectOptions, UpdatedView, View, Views } from './views.ts'
export type * from '../schemas/generated/types.ts'
