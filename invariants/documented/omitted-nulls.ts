import { schemas } from '../../schemas/generated/schemas.ts'
import type { SchemaName } from '../../schemas/generated/validators.ts'
import type { Row } from '../rows/row.ts'

/** Whether a value has a null inside. A server that writes nulls there does not leave them out. */
export const writesNulls = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(writesNulls))

/**
 * The object with null for each missing member that may be null: a server may leave out nulls (rows.nulls), inside of objects
 * too. Unchanged if the server writes nulls.
 *
 * @param within the value of the column that holds the object
 */
export function withOmittedNulls(object: Row, schema: SchemaName, within: unknown = object): Row {
  if (writesNulls(within)) return object
  const properties = schemas[schema]!['properties'] as Record<string, { type?: string | string[] }>
  const nullable = Object.keys(properties).filter((key) => {
    const { type } = properties[key]!
    return type === undefined || type.includes('null')
  })
  return { ...Object.fromEntries(nullable.map((key) => [key, null])), ...object }
}
