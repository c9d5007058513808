import { type JsonSchema, type JsonType, timestampFormat } from './json-schema.ts'
import { resolve, type SchemaDocument, type Sources } from './load.ts'

/** A column of a view, read from its schema. It has the shape of the generated `ColumnDefinition`. */
export interface Column {
  name: string
  types: Exclude<JsonType, 'null'>[]
  nullable: boolean
  nullOnlyWithout?: string
  items?: string
  optional: boolean
  format?: string
  postgres: 'text' | 'timestamptz' | 'float8' | 'numeric' | 'boolean' | 'jsonb'
  description: string
}

/** A view, read from its schema. It has the shape of the generated `ViewDefinition`. */
export interface View {
  name: string
  table: string
  title: string
  description: string
  columns: Column[]
}

/** The views in the order of the contract, with columns in the order of their schemas. */
export function viewsOf(sources: Sources): View[] {
  return sources.contract.views.map((name) => {
    const document = sources.documents.find((candidate) => candidate.name === `views/${name}`)!
    const { title = '', description = '', properties = {} } = document.schema
    const columns = Object.entries(properties).map(([column, schema]) =>
      columnOf(sources, document, column, schema),
    )
    return { name, table: name.replace(/^v_/, ''), title, description, columns }
  })
}

function columnOf(sources: Sources, document: SchemaDocument, name: string, schema: JsonSchema): Column {
  const all = typesOf(sources, document, schema)
  const types = all.filter((type) => type !== 'null')
  const format = timestampFormat(schema)
  const condition = notNullWhenPresent(document.schema, name)
  return {
    name,
    types,
    nullable: all.includes('null'),
    ...(condition && { nullOnlyWithout: condition }),
    ...(typeof schema.items?.type === 'string' && { items: schema.items.type }),
    optional: !document.schema.required?.includes(name),
    ...(format && { format }),
    postgres: postgresType(name, types, format),
    description: schema.description ?? '',
  }
}

function typesOf(sources: Sources, document: SchemaDocument, schema: JsonSchema): JsonType[] {
  if (schema.$ref) return typesOf(sources, document, resolve(sources, document, schema.$ref))
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => typesOf(sources, document, branch))
  return [schema.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type))
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
): Column['postgres'] {
  if (types.length !== 1) return 'jsonb'
  if (types[0] === 'string') return format ? 'timestamptz' : 'text'
  if (types[0] === 'number') return name.endsWith('_ms') ? 'numeric' : 'float8'
  return types[0] === 'boolean' ? 'boolean' : 'jsonb'
}
