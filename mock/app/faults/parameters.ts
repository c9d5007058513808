import { faultSchema } from '../../../schemas/generated/fault.ts'
import type { FaultData } from './fault.ts'

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
