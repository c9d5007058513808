import { faultSchema } from '../../../schemas/generated/fault.ts'
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

/** What the schema says about one parameter of a fault. */
export interface Parameter {
  readonly description: string
  readonly examples: readonly unknown[]
}

/** What the schema says about one type of fault. */
interface Definition {
  readonly description: string
  readonly examples: readonly FaultData[]
  readonly properties: Readonly<Record<string, object>>
  readonly allOf?: readonly { readonly $ref?: string }[]
}

const definitions = faultSchema.$defs as unknown as Readonly<Record<string, Definition>>
const definitionAt = (ref: string): Definition => definitions[ref.slice('#/$defs/'.length)]!

/** The types of faults in the order in which they apply to a request. */
export const order = faultSchema.oneOf.map(({ $ref }) => $ref.slice('#/$defs/'.length)) as FaultData['type'][]

/** The description and the examples of a type. */
export const definitionOf = (type: FaultData['type']): Definition => definitions[type]!

/** The parameters of a type by their names in JSON, in the order in which they are written. */
export function parametersOf(type: FaultData['type']): Readonly<Record<string, Parameter>> {
  const { properties, allOf = [] } = definitionOf(type)
  const parts = allOf.flatMap(({ $ref }) => ($ref ? [definitionAt($ref).properties] : []))
  const { type: _, ...all } = Object.assign({}, properties, ...parts) as Record<
    string,
    Parameter & { $ref?: string }
  >
  return Object.fromEntries(
    Object.entries(all).map(([key, schema]) => [
      key,
      schema.$ref ? (definitionAt(schema.$ref) as Parameter) : schema,
    ]),
  )
}

/** The parameters that choose requests. */
export const choosing: readonly string[] = [
  ...Object.keys(definitions['selection']!.properties),
  ...Object.keys(definitions['frequency']!.properties),
]
