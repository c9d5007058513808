import { compile } from 'json-schema-to-typescript'
import { mapSubschemas, type JsonSchema } from './json-schema.ts'
import { resolve, type GeneratedFile, type SchemaDocument, type Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/** types.ts: one interface for every title in the schemas, and the union and table of the views. */
export async function generateTypes(sources: Sources): Promise<GeneratedFile[]> {
  const interfaces = [...titledSchemas(sources)].map(([title, schema]) =>
    compile(schema as object, title, options),
  )
  const text = moduleText('', ...(await Promise.all(interfaces)), viewTypes(sources))
  return [{ path: 'types.ts', text }]
}

const options = {
  bannerComment: '',
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  style: { semi: false, singleQuote: true, printWidth: 110 },
}

/**
 * Every titled schema by its title, nested ones and those below `$defs` included. References to them become
 * names (`tsType`), because the compiler would otherwise declare the same interface once a reference.
 */
function titledSchemas(sources: Sources): Map<string, JsonSchema> {
  const titled = new Map<string, JsonSchema>()
  for (const document of sources.documents) {
    for (const schema of [document.schema, ...Object.values(document.schema.$defs ?? {})]) {
      declare(titled, sources, document, schema)
    }
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
  if (!title) throw new Error(`A schema in ${document.name} has no title: give it the name of its type.`)
  const { $defs: _, $id: __, ...body } = open(mapSubschemas(schema, name))
  if (titled.has(title) && JSON.stringify(titled.get(title)) !== JSON.stringify(body)) {
    throw new Error(`Two different schemas have the title ${title}: rename one of them.`)
  }
  titled.set(title, body)

  function name(sub: JsonSchema): JsonSchema {
    const { description } = sub
    if (sub.$ref) return { description, tsType: resolve(sources, document, sub.$ref).title }
    if (sub.maxItems === 0) return { description, tsType: 'never[]' }
    if (isAnything(sub)) return { description, tsType: 'unknown' }
    if (!sub.title) return open(mapSubschemas(sub, name))
    declare(titled, sources, document, sub)
    return { description, tsType: sub.title }
  }
}

/** A schema that allows every value, which the compiler would take for an object. */
function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'title' || keyword === 'description')
}

/** Interfaces are closed, but an object whose keys are not documented may have any. */
function open(schema: JsonSchema): JsonSchema {
  const undocumented = [schema.type].flat().includes('object') && !schema.properties
  return undocumented ? { additionalProperties: true, ...schema } : schema
}

function viewTypes({ contract, documents }: Sources): string {
  const title = (view: string) => documents.find(({ name }) => name === `views/${view}`)?.schema.title
  return `/** The name of a view. */
export type ViewName = keyof ViewRows

/** The row type of each view. */
export interface ViewRows {
${contract.views.map((view) => `  ${view}: ${title(view)}`).join('\n')}
}`
}
