import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { itemsOf, line, value } from './line.ts'

type Schema = Readonly<Record<string, unknown>>

/** Where a schema stands, for its references. */
interface Place {
  readonly file: string
  readonly document: Schema
  /** The references on the way here, which ends at a repeated one. */
  readonly references: readonly string[]
}

/** Keywords whose schemas apply to the same value. */
const combining = ['anyOf', 'oneOf', 'allOf', 'if', 'then', 'else']

/** Keywords for people, and those that are followed. */
const silent = new Set(
  [
    ['$schema', '$id', '$ref', '$defs', 'title', 'description'],
    ['properties', 'required', 'additionalProperties', 'items', 'prefixItems', 'enum'],
    combining,
  ].flat(),
)

const schemasOf = (given: unknown): Schema[] =>
  (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'object' && one !== null)

/** The members of a JSON document, with their types and values, from the JSON Schema in a file. */
export function schemaLines(file: string, path: readonly string[], document = read(file)): string[] {
  return [...new Set(ofSchema(document, path, { file, document, references: [] }))]
}

function ofSchema(schema: Schema, path: readonly string[], place: Place): string[] {
  const { properties = {}, required = [], additionalProperties: rest } = schema
  const mandatory = new Set(required as string[])
  return [
    ...Object.entries(schema)
      .filter(([keyword]) => !silent.has(keyword))
      .map(([keyword, given]) => line(path, `${keyword} ${value(given)}`)),
    ...((schema['enum'] ?? []) as unknown[]).map((one) => line(path, value(one))),
    ...(rest === false ? [line(path, 'no other members')] : []),
    ...Object.entries(properties as Record<string, Schema>).flatMap(([name, member]) => {
      const at = [...path, name]
      return [line(at, mandatory.has(name) ? 'required' : 'optional'), ...ofSchema(member, at, place)]
    }),
    ...schemasOf(rest).flatMap((member) => ofSchema(member, [...path, '*'], place)),
    ...['items', 'prefixItems'].flatMap((keyword) =>
      schemasOf(schema[keyword]).flatMap((item) => ofSchema(item, itemsOf(path), place)),
    ),
    ...combining.flatMap((keyword) =>
      schemasOf(schema[keyword]).flatMap((one) => ofSchema(one, path, place)),
    ),
    ...(typeof schema['$ref'] === 'string' ? ofReference(schema['$ref'], path, place) : []),
  ]
}

function ofReference(reference: string, path: readonly string[], place: Place): string[] {
  const [name, pointer = ''] = reference.split('#') as [string, string?]
  const file = name === '' ? place.file : join(dirname(place.file), name)
  const key = `${file}#${pointer}`
  if (place.references.includes(key)) return []
  const document = name === '' ? place.document : read(file)
  const target = pointer
    .split('/')
    .slice(1)
    .reduce((at: Schema, step) => at[step] as Schema, document)
  return ofSchema(target, path, { file, document, references: [...place.references, key] })
}

const read = (file: string): Schema => JSON.parse(readFileSync(file, 'utf8')) as Schema
