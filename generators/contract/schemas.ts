import type { GeneratedFile, Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/** schemas.ts: the JSON Schemas as data, one line each. */
export function generateSchemas({ documents }: Sources): GeneratedFile[] {
  const entries = documents.map(({ name, schema }) => `  '${name}': ${JSON.stringify(schema)},`)
  return [
    {
      path: 'schemas.ts',
      text: moduleText(
        '',
        '/** A JSON Schema (2020-12) as data. */',
        'export type SchemaDocument = Readonly<Record<string, unknown>>',
        '',
        '/** The schemas by their path below schemas/, without `.schema.json`. */',
        'export const schemas: Readonly<Record<string, SchemaDocument>> = {',
        ...entries,
        '}',
      ),
    },
  ]
}
