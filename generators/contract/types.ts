import { compile } from 'json-schema-to-typescript'
import type { ViewDefinition } from '../../schemas/view-definition.ts'
import { viewsOf } from './columns.ts'
import { mapSubschemas, type JsonSchema } from './json-schema.ts'
import { resolve, type GeneratedFile, type SchemaDocument, type Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/** types.ts: one interface for every title in the schemas, the row of the join, and the names and row types of the views. */
export async function generateTypes(sources: Sources): Promise<GeneratedFile[]> {
  const interfaces = [...titledSchemas(sources)].map(([title, schema]) =>
    compile(schema as object, title, options),
  )
  const join = compile(joinSchema(sources), '', options)
  const text = moduleText('', ...(await Promise.all([...interfaces, join])), viewTypes(sources))
  return [{ path: 'types.ts', text }]
}

const options = {
  bannerComment: '',
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  style: { semi: false, singleQuote: true, printWidth: 110 },
}

/**
 * Every schema with a title by its title, including nested ones and those in `$defs`. References become names (`tsType`),
 * because the compiler would otherwise declare an interface for each reference.
 */
function titledSchemas(sources: Sources): Map<string, JsonSchema> {
  const titled = new Map<string, JsonSchema>()
  for (const document of sources.documents) {
    const definitions = Object.values(document.schema.$defs ?? {}).filter(({ title }) => title)
    for (const schema of [document.schema, ...definitions]) declare(titled, sources, document, schema)
  }
  return titled
}

function declare(
  titled: Map<string, JsonSchema>,
  sources: Sources,
  document: SchemaDocument,
  schema: JsonSchema,
) {
  const { title } = schema
  if (!title || !/^[A-Z]\w*$/.test(title))
    throw new Error(
      `A schema in ${document.name} has ${title ? `the title "${title}"` : 'no title'}: give it the name of its type, such as MediumBatch.`,
    )
  const { $defs: _, $id: __, ...body } = open(mapSubschemas(merged(sources, document, schema), name))
  if (titled.has(title) && JSON.stringify(titled.get(title)) !== JSON.stringify(body)) {
    throw new Error(`Two different schemas have the title ${title}: rename one of them.`)
  }
  titled.set(title, body)

  function name(sub: JsonSchema): JsonSchema {
    const { description } = sub
    if (sub.$ref) {
      const target = resolve(sources, document, sub.$ref)
      // a definition without a title is no type of its own
      return target.title ? { description, tsType: target.title } : name(target)
    }
    if (sub.maxItems === 0) return { description, tsType: 'never[]' }
    if (sub.minItems !== undefined && sub.minItems === sub.maxItems)
      return {
        description,
        tsType: `readonly [${Array<unknown>(sub.minItems).fill(sub.items?.type).join(', ')}]`,
      }
    if (isAnything(sub)) return { description, tsType: 'unknown' }
    if (!sub.title) return open(mapSubschemas(sub, name))
    declare(titled, sources, document, sub)
    return { description, tsType: sub.title }
  }
}

/** The schema with the properties of the definitions in its `allOf`; conditions between properties have no type. */
function merged(sources: Sources, document: SchemaDocument, { allOf, ...schema }: JsonSchema): JsonSchema {
  const parts = (allOf ?? []).flatMap(({ $ref }) => ($ref ? [resolve(sources, document, $ref)] : []))
  const properties = [schema, ...parts].map((part) => part.properties)
  return allOf ? { ...schema, properties: Object.assign({}, ...properties) } : schema
}

/** A schema that allows every value, which the compiler would take for an object. */
function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'title' || keyword === 'description')
}

/** Allows any key in an object whose keys are not documented; all other interfaces are closed. */
function open(schema: JsonSchema): JsonSchema {
  const undocumented = [schema.type].flat().includes('object') && !schema.properties
  return undocumented ? { additionalProperties: true, ...schema } : schema
}

/**
 * A row of the documented join over all columns. Of two columns with one name the last one remains, which is that of the right
 * view. The columns of the right view are null in a row without a partner. The types refer to those of the views.
 */
function joinSchema(sources: Sources): object {
  const { left, right } = sources.contract.join
  const [a, b] = [left, right].map((name) => viewsOf(sources).find((view) => view.name === name)!) as [
    ViewDefinition,
    ViewDefinition,
  ]
  const properties: Record<string, object> = Object.fromEntries([
    ...members(a),
    ...members(b, ' | null', ` From ${right}; null: the row has none.`),
  ])
  return {
    title: `${a.title}With${b.title}`,
    description: `A row of ${left} LEFT JOIN ${right} over all columns: of two columns with one name the last wins.`,
    type: 'object',
    properties,
    required: Object.keys(properties),
  }
}

/** The columns of a view as properties that take their types from its row type. */
const members = ({ title, columns }: ViewDefinition, or = '', says = '') =>
  columns.map(({ name, description }) => [
    name,
    { tsType: `${title}['${name}']${or}`, description: description + says },
  ])

function viewTypes({ contract, documents }: Sources): string {
  const title = (view: string) => documents.find(({ name }) => name === `views/${view}`)?.schema.title
  return `/** The name of a view. */
export type ViewName = keyof ViewRows

/** The row type of each view. */
export interface ViewRows {
${contract.views.map((view) => `  ${view}: ${title(view)}`).join('\n')}
}`
}
