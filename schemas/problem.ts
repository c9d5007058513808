import { schemas } from './generated/schemas.ts'
import { validators } from './generated/validators.ts'
import type { ValidationError } from './validator.ts'

/** The schemas of files that users write or pass on. */
type FileSchema = 'baseline' | 'claim' | 'profile' | 'report'

/** Problems to name: one slip, such as a misspelt key, often is two. */
const MOST_NAMED = 3

/** The longest name of a key to repeat, in characters. */
const LONGEST_KEY = 60

/**
 * What is wrong with the content of a file, as a part of a sentence; undefined if it matches the schema. A key or a value that is not
 * allowed is named beside those that are.
 *
 * @example problemIn('baseline', { ...baseline, until: '2026-12-31' })
 *   // 'its top level has the key "until"; the keys are $schema, contract, waivers'
 */
export function problemIn(schema: FileSchema, value: unknown): string | undefined {
  const validate = validators[schema]
  if (validate(value)) return undefined
  return (validate.errors ?? [])
    .slice(0, MOST_NAMED)
    .map((error) => describe(schema, error))
    .join(', and ')
}

function describe(
  schema: FileSchema,
  { instancePath, schemaPath, params, message }: ValidationError,
): string {
  const where = instancePath || 'its top level'
  const { additionalProperty: key, allowedValues, allowedValue } = params
  if (typeof key === 'string')
    return `${where} has the key ${JSON.stringify(key.slice(0, LONGEST_KEY))}; the keys are ${keysBeside(schema, schemaPath).join(', ')}`
  const allowed = [allowedValues ?? allowedValue ?? []].flat()
  return `${where} ${message}${allowed.length > 0 ? `: ${allowed.join(', ')}` : ''}`
}

/** The keys of the object whose schema has the keyword at a path such as `#/properties/a/additionalProperties`. */
function keysBeside(schema: FileSchema, path: string): string[] {
  const parents = path.split('/').slice(1, -1)
  let part: unknown = schemas[schema]
  for (const name of parents) part = (part as Record<string, unknown>)[name]
  return Object.keys((part as { properties: object }).properties)
}
