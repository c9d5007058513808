import type * as schema from '../../../schemas/generated/types.ts'

/** A fault as schemas/fault.schema.json declares it: regular expressions are text. */
export type FaultData = schema.Fault

/** The same as a program may give it: `on` can be a regular expression. */
type Given<F> = F extends unknown
  ? { readonly [K in keyof F]: K extends 'on' ? string | RegExp : F[K] }
  : never

export type Latency = Given<schema.LatencyFault>
export type Reset = Given<schema.ResetFault>
export type Limit = Given<schema.LimitFault>
export type Status = Given<schema.StatusFault>
export type Expire = Given<schema.ExpireFault>
export type Timeout = Given<schema.TimeoutFault>
export type Truncate = Given<schema.TruncateFault>
export type Drip = Given<schema.DripFault>
/** An injected failure: `{ type: 'status', status: 503, rate: 0.2 }`. */
export type Fault = Given<FaultData>
/** Which requests trigger a fault. */
export type Strikes = Given<schema.FaultSelection & schema.FaultFrequency>

/** A fault that is not valid; the message says what is wrong and what to write instead. */
export class FaultError extends Error {
  override readonly name = 'FaultError'
}
