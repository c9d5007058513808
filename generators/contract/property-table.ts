import { type JsonSchema, timestampFormat } from './json-schema.ts'
import { resolve, type SchemaDocument, type Sources } from './load.ts'
import { table } from './markdown.ts'
import { markProse } from './prose.ts'

/** The properties of a schema as a table: name, type, meaning of null, meaning. */
export function propertyTable(sources: Sources, document: SchemaDocument): string {
  const rows = flatten(document.schema).map(([name, schema, optional]) => {
    const type = typeText(sources, document, schema)
    const [meaning, whenNull] = splitDescription(schema)
    return [`\`${name}\``, optional ? `${type}, optional` : type, whenNull, markProse(meaning)]
  })
  return table(['Name', 'Type', 'Null', 'Meaning'], rows)
}

/** The properties of a schema, including those of inline objects with a dotted name. */
function flatten(schema: JsonSchema, prefix = ''): [name: string, schema: JsonSchema, optional: boolean][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, sub]) => [
    [prefix + name, sub, !schema.required?.includes(name)],
    ...flatten(sub, `${prefix}${name}.`),
  ])
}

/** Splits a description: for a nullable property, its end says what null means. */
function splitDescription(schema: JsonSchema): [meaning: string, whenNull: string] {
  const { description = '', type, anyOf, $ref } = schema
  if (!type && !anyOf && !$ref) return [description, 'not documented']
  const types = [type, ...(anyOf ?? []).map((branch) => branch.type)].flat()
  if (!types.includes('null')) return [description, 'never']
  const [, meaning = description, whenNull = 'allowed'] = /^(.*?) ?Null:? (.*?)\.?$/.exec(description) ?? []
  return [meaning, whenNull]
}

function typeText(sources: Sources, document: SchemaDocument, schema: JsonSchema): string {
  const text = (sub: JsonSchema) => typeText(sources, document, sub)
  if (schema.$ref) return linkTo(resolve(sources, document, schema.$ref).title!)
  if (schema.anyOf)
    return schema.anyOf
      .filter(({ type }) => type !== 'null')
      .map(text)
      .join(' or ')
  const format = timestampFormat(schema)
  if (format) return format === 'iso8601-zoned' ? 'timestamp with zone' : 'timestamp'
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(', ')
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null')
  const described = schema.items && Object.keys(schema.items).length > 0
  return types
    .map((type) => (type === 'array' && described ? `array of ${text(schema.items!)}` : type))
    .join(' or ')
}

function linkTo(title: string): string {
  return `[${title}](#${title.toLowerCase()})`
}
