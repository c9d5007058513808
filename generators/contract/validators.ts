import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { build, transform } from 'esbuild'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formats } from '../../schemas/formats.ts'
import { type JsonSchema, mapSubschemas, timestampFormat } from './json-schema.ts'
import type { GeneratedFile, SchemaDocument, Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/**
 * validators.ts: one function for each schema, without imports of ajv. The functions are inside another
 * one, which keeps them and their types out of the declarations that tsc writes.
 *
 * fault.ts: the schema of a fault and its validator, because a page needs them before it loads the others.
 */
export async function generateValidators({ documents }: Sources): Promise<GeneratedFile[]> {
  const fault = documents.find(({ name }) => name === 'fault')!
  const validators = moduleText(
    '// @ts-nocheck',
    `import { formats } from '${formatsModule}'`,
    `import type { Validator } from '${typesModule}'`,
    "import { validateFault } from './fault.ts'",
    `/** The path of a schema below schemas/, without \`.schema.json\`. */
export type SchemaName =
${documents.map(({ name }) => `  | '${name}'`).join('\n')}
`,
    '/** The validators by the path of their schema. */',
    `export const validators: Readonly<Record<SchemaName, Validator>> = /* @__PURE__ */ ${await functions(documents, { fault: 'validateFault' })}`,
  )
  const faults = moduleText(
    '// @ts-nocheck',
    `import { formats } from '${formatsModule}'`,
    `import type { Validator } from '${typesModule}'`,
    '/** The schema of a fault. */',
    `export const faultSchema = ${JSON.stringify(fault.schema)} as const`,
    '/** Whether a value is a fault. */',
    `export const validateFault: Validator = /* @__PURE__ */ ${await functions([fault], {}, small)}.fault`,
  )
  return [
    { path: 'validators.ts', text: validators },
    { path: 'fault.ts', text: faults },
  ]
}

/** Options for a small validator that reports the first departure only. */
const small: Options = { allErrors: false, inlineRefs: false, messages: false }

/**
 * An expression that makes the record of all validate functions, as one line.
 *
 * @param imported functions in scope, by the name of their schema
 */
async function functions(
  documents: readonly SchemaDocument[],
  imported: Readonly<Record<string, string>>,
  options: Options = {},
): Promise<string> {
  const compiled = documents.filter(({ name }) => !imported[name])
  const bundle = (await bundled(standalone(compiled, options))).replace(/\nexport \{[^}]*\};\n$/, '')
  const entries = documents.map(({ name }) => `'${name}': ${imported[name] ?? identifier(name)}`)
  const { code } = await transform(`(() => { ${bundle}\nreturn { ${entries.join(', ')} } })()`, {
    minify: true,
    charset: 'utf8',
    target: 'es2022',
  })
  return code.trim().replace(/;$/, '')
}

const formatsModule = '../formats.ts'
const typesModule = '../validator.ts'
const here = dirname(fileURLToPath(import.meta.url))

function standalone(documents: readonly SchemaDocument[], options: Options): string {
  const ajv = new Ajv2020({
    // Rows are checked column by column, so all errors are needed.
    allErrors: true,
    allowUnionTypes: true,
    // The branches of a conditional schema do not repeat the types and properties of their parent.
    strictTypes: false,
    strictRequired: false,
    strict: true,
    discriminator: true,
    formats,
    code: { source: true, esm: true, formats: _`formats` },
    ...options,
  })
  // a union reports the errors of the member that `type` names only
  const tag = { discriminator: { propertyName: 'type' }, required: ['type'] }
  for (const { schema } of documents)
    ajv.addSchema(withFormats(schema.oneOf ? { ...schema, ...tag } : schema))
  const names = documents.map(({ name, schema }) => [identifier(name), schema.$id!])
  return standaloneCode.default(ajv, Object.fromEntries(names))
}

/** A copy with formats in place of the patterns of timestamps: only a function knows the calendar. */
function withFormats(schema: JsonSchema): JsonSchema {
  const format = timestampFormat(schema)
  return mapSubschemas(format ? { ...schema, pattern: undefined, format } : schema, withFormats)
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
