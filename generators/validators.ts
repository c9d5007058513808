import { Ajv2020 } from 'ajv/dist/2020.js'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { build, transform } from 'esbuild'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formats } from '../schemas/formats/timestamp.ts'
import type { GeneratedFile, Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/**
 * validators.ts: one function for each schema, without imports of ajv. The functions are inside another function, which keeps
 * them and their types out of the declarations that tsc writes.
 */
export async function generateValidators(sources: Sources): Promise<GeneratedFile[]> {
  const text = moduleText(
    '// @ts-nocheck',
    `import { formats } from '${formatsModule}'`,
    types(sources),
    '/** The validators by the path of their schema. */',
    `export const validators: Readonly<Record<SchemaName, Validator>> = /* @__PURE__ */ ${await functions(sources)}`,
  )
  return [{ path: 'validators.ts', text }]
}

/** An expression of one line that creates the record of all validate functions. */
async function functions(sources: Sources): Promise<string> {
  const bundle = (await bundled(standalone(sources))).replace(/\nexport \{[^}]*\};\n$/, '')
  const entries = sources.documents.map(({ name }) => `'${name}': ${identifier(name)}`)
  const { code } = await transform(`(() => { ${bundle}\nreturn { ${entries.join(', ')} } })()`, {
    minify: true,
    charset: 'utf8',
    target: 'es2022',
  })
  return code.trim().replace(/;$/, '')
}

const formatsModule = '../formats/timestamp.ts'
const here = dirname(fileURLToPath(import.meta.url))

function standalone({ documents }: Sources): string {
  const ajv = new Ajv2020({
    // Rows are checked column by column, so all errors are needed.
    allErrors: true,
    allowUnionTypes: true,
    // The branches of a conditional schema do not repeat the types and properties of their parent.
    strictTypes: false,
    strictRequired: false,
    strict: true,
    formats,
    code: { source: true, esm: true, formats: _`formats` },
  })
  for (const { schema } of documents) ajv.addSchema(schema)
  const names = documents.map(({ name, schema }) => [identifier(name), schema.$id!])
  return standaloneCode.default(ajv, Object.fromEntries(names))
}

async function bundled(source: string): Promise<string> {
  const result = await build({
    stdin: { contents: source, resolveDir: here, sourcefile: 'ajv' },
    // The bundle contains paths relative to this directory, so that they are the same on every machine.
    absWorkingDir: here,
    preserveSymlinks: true,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    charset: 'utf8',
    target: 'es2022',
  })
  return result.outputFiles[0]!.text
}

/** The name of a validate function. No name of ajv has an underscore. */
function identifier(name: string): string {
  return `validate_${name.replaceAll(/\W/g, '_')}`
}

function types({ documents }: Sources): string {
  return `/** One departure from a schema. */
export interface ValidationError {
  /** JSON pointer to the value that departs. */
  readonly instancePath: string
  /** JSON pointer to the keyword it departs from. */
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

/** Tells whether a value conforms to a schema; \`errors\` holds what the last call found. */
export interface Validator {
  (value: unknown): boolean
  errors?: readonly ValidationError[] | null
}

/** The path of a schema below schemas/, without \`.schema.json\`. */
export type SchemaName =
${documents.map(({ name }) => `  | '${name}'`).join('\n')}
`
}
