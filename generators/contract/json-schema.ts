import { timestampPatterns } from '../../schemas/formats.ts'

/** The JSON types of a column or property, as JSON Schema names them. */
export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null'

/** The part of JSON Schema 2020-12 that the files in schemas/ use. */
export interface JsonSchema {
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly title?: string
  readonly description?: string
  readonly type?: JsonType | 'integer' | readonly (JsonType | 'integer')[]
  readonly pattern?: string | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly if?: JsonSchema
  readonly then?: JsonSchema
  readonly [keyword: string]: unknown
}

/**
 * Copies a schema and changes its direct subschemas. Only visits keywords that contain schemas: a property may be called
 * `title` or `items`.
 */
export function mapSubschemas(schema: JsonSchema, change: (sub: JsonSchema) => JsonSchema): JsonSchema {
  const copy: Record<string, unknown> = { ...schema }
  for (const keyword of ['items', 'additionalProperties', 'not', 'if', 'then', 'else']) {
    if (isSchema(copy[keyword])) copy[keyword] = change(copy[keyword])
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(copy[keyword])) copy[keyword] = copy[keyword].map(change)
  }
  for (const keyword of ['properties', 'patternProperties', '$defs']) {
    if (isSchema(copy[keyword])) copy[keyword] = mapValues(copy[keyword], (sub) => change(sub as JsonSchema))
  }
  return copy
}

/** Copies a record and changes its values. */
export function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A, key: string) => B) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The format of a timestamp, which the schemas write as a pattern; undefined for a schema of anything else. */
export const timestampFormat = ({ pattern }: JsonSchema) =>
  (['iso8601', 'iso8601-zoned'] as const).find((format) => timestampPatterns[format] === pattern)
