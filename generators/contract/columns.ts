import type { ColumnDefinition, ViewDefinition } from '../../schemas/view-definition.ts'
import { type JsonSchema, type JsonType, timestampFormat } from './json-schema.ts'
import { resolve, type SchemaDocument, type Sources } from './load.ts'

/** The views in the order of the contract, with columns in the order of their schemas. */
export function viewsOf(sources: Sources): ViewDefinition[] {
  return sources.contract.views.map((name) => {
    const document = sources.documents.find((candidate) => candidate.name === `views/${name}`)!
    const { title = '', description = '', properties = {} } = document.schema
    const columns = Object.entries(properties).map(([column, schema]) =>
      columnOf(sources, document, column, schema),
    )
    return { name, table: name.replace(/^v_/, ''), title, description, columns }
  })
}

function columnOf(
  sources: Sources,
  document: SchemaDocument,
  name: string,
  schema: JsonSchema,
): ColumnDefinition {
  const all = typesOf(sources, document, schema)
  const types = all.filter((type) => type !== 'null')
  const format = timestampFormat(schema)
  const keys = keysOf(sources, document, schema)
  const condition = notNullWhenPresent(document.schema, name)
  return {
    name,
    types,
    nullable: all.includes('null'),
    ...(condition && { nullOnlyWithout: condition }),
    ...(typeof schema.items?.type === 'string' && {
      items: schema.items.type as ColumnDefinition['types'][number],
    }),
    optional: !document.schema.required?.includes(name),
    ...(format && { format }),
    postgres: postgresType(name, types, format),
    description: schema.description ?? '',
    ...(keys && { keys }),
  }
}

function typesOf(sources: Sources, document: SchemaDocument, schema: JsonSchema): JsonType[] {
  if (schema.$ref) return typesOf(sources, document, resolve(sources, document, schema.$ref))
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => typesOf(sources, document, branch))
  return [schema.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type))
}

/** What the documented keys of an object mean; undefined if none are. */
function keysOf(sources: Sources, document: SchemaDocument, schema: JsonSchema): ColumnDefinition['keys'] {
  const { $ref } = [schema, ...(schema.anyOf ?? [])].find(({ $ref }) => $ref) ?? {}
  if (!$ref) return undefined
  const keys = Object.entries(resolve(sources, document, $ref).properties ?? {})
  return Object.fromEntries(keys.map(([key, { description = '' }]) => [key, description]))
}

/** The column in the schema's `if` whose value makes the schema's `then` forbid null in `name`. */
function notNullWhenPresent(schema: JsonSchema, name: string): string | undefined {
  const required = schema.then?.properties?.[name]
  return required && ![required.type].flat().includes('null') ? schema.if?.required?.[0] : undefined
}

/** Milliseconds are numeric: PostgreSQL rounds only numeric to some digits, as in ROUND(AVG(duration_ms) / 3600000.0, 1). */
function postgresType(
  name: string,
  types: readonly JsonType[],
  format: string | undefined,
): ColumnDefinition['postgres'] {
  if (types.length !== 1) return 'jsonb'
  if (types[0] === 'string') return format ? 'timestamptz' : 'text'
  if (types[0] === 'number') return name.endsWith('_ms') ? 'numeric' : 'float8'
  return types[0] === 'boolean' ? 'boolean' : 'jsonb'
}
