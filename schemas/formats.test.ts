import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'

/** The formats of JSON Schema 2020-12 for dates and addresses. */
const standard = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'regex',
]

const folder = import.meta.dirname
const schemas = readdirSync(folder)
  .filter((name) => name.endsWith('.schema.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { $id: string })

test('a validator without formats of ours reads every schema that is not one of rows', () => {
  const ajv = new Ajv2020({ logger: false, allowUnionTypes: true })
  for (const format of standard) ajv.addFormat(format, true)
  ajv.addSchema(schemas)
  expect(schemas.length).toBeGreaterThan(5)
  for (const { $id } of schemas) expect(() => ajv.getSchema($id), $id).not.toThrow()
})
