import { faultSchema } from '../../../schemas/generated/fault.ts'
import type * as schema from '../../../schemas/generated/types.ts'

type ReadonlyOf<F> = F extends unknown ? { readonly [K in keyof F]: F[K] } : never

export type Latency = ReadonlyOf<schema.LatencyFault>
export type Reset = ReadonlyOf<schema.ResetFault>
export type Limit = ReadonlyOf<schema.LimitFault>
export type Status = ReadonlyOf<schema.StatusFault>
export type Expire = ReadonlyOf<schema.ExpireFault>
export type Timeout = ReadonlyOf<schema.TimeoutFault>
export type Truncate = ReadonlyOf<schema.TruncateFault>
export type Drip = ReadonlyOf<schema.DripFault>
/** An injected failure: `{ type: 'status', status: 503, rate: 0.2 }`. */
export type Fault = ReadonlyOf<schema.Fault>
export type FaultType = Fault['type']

/** The texts of each type of fault. What follows the first comma is checked when the fault is read. */
interface FaultTexts {
  latency: `latency:${string}`
  reset: 'reset' | `reset${':' | ','}${string}`
  limit: `limit:${number}/${string}`
  status: `status:${number}` | `status:${number},${string}`
  expire: `expire:${string}`
  timeout: 'timeout' | `timeout${':' | ','}${string}`
  truncate: `truncate:${number}${string}`
  drip: `drip:${number}${string}`
}
/** A fault as text, such as `status:503,rate=0.2`. For a `string` from outside, use `parseFault`. */
export type FaultText = FaultTexts[FaultType]
/** Which requests trigger a fault. */
export type Strikes = ReadonlyOf<schema.FaultSelection & schema.FaultFrequency>

/** A fault that is not valid; the message says what is wrong and what to write instead. */
export class FaultError extends Error {
  override readonly name = 'FaultError'
}

/** What the schema says about one parameter of a fault. */
export interface Parameter {
  readonly description: string
  readonly examples: readonly unknown[]
}

type Referring<T> = T & { readonly $ref?: string }

/** What the schema says about one type of fault. */
interface Definition {
  readonly description: string
  readonly examples: readonly Fault[]
  readonly properties?: Readonly<Record<string, Referring<Parameter>>>
  readonly allOf?: readonly Referring<Pick<Definition, 'properties'>>[]
}

const definitions = faultSchema.$defs as unknown as Readonly<Record<string, Definition>>
const nameIn = (ref: string): string => ref.slice('#/$defs/'.length)
const resolved = <T>(part: Referring<T>) => (part.$ref ? (definitions[nameIn(part.$ref)] as T) : part)

/** The types of faults in the order in which they apply to a request. */
export const order = faultSchema.oneOf.map(({ $ref }) => nameIn($ref)) as FaultType[]

/** The description and the examples of a type. */
export const definitionOf = (type: FaultType): Definition => definitions[type]!

/** The parameters of a type by their names in JSON, in the order in which they are written. */
export function parametersOf(type: FaultType): Readonly<Record<string, Parameter>> {
  const { properties, allOf = [] } = definitionOf(type)
  const parts = [{ properties }, ...allOf.map(resolved)].flatMap((part) =>
    Object.entries(part.properties ?? {}),
  )
  return Object.fromEntries(
    parts.filter(([key]) => key !== 'type').map(([key, parameter]) => [key, resolved(parameter)]),
  )
}

/** The parameters that choose requests. */
export const choosing: readonly string[] = ['selection', 'frequency'].flatMap((name) =>
  Object.keys(definitions[name]!.properties!),
)
