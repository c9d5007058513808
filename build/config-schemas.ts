/** Writes the JSON Schemas of config files to schemas/config/, where editors find them in the package. Part of `npm run build`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { configSchemas } from '../cli/options/config-schema.ts'

const folder = resolve(import.meta.dirname, '../schemas/config')
mkdirSync(folder, { recursive: true })
for (const [name, schema] of configSchemas())
  writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`)
