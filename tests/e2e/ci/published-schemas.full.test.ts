import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import * as ajvFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { sampleRows } from '../../../invariants/tables.test-helper.ts'
import { views } from '../../../schemas/index.ts'
import { root } from '../support/cli.ts'

const read = (path: string) =>
  JSON.parse(readFileSync(join(root, 'schemas', path), 'utf8')) as AnySchemaObject

/** The JSON Schemas of the package by id, or by path where they have none, as those of config files. */
const schemas = readdirSync(join(root, 'schemas'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.schema\.json$|^config[\\/]/.test(path))
  .map((path): [id: string, schema: AnySchemaObject] => [read(path).$id ?? path, read(path)])
const { components } = read('generated/openapi.json') as { components: { schemas: object } }
const titles = Object.keys(components.schemas)

/** A reference to each schema. Those of openapi.json are in a schema that has its components. */
const references = [
  ...schemas.map(([id]) => id),
  ...titles.map((title) => `openapi#/components/schemas/${title}`),
]
schemas.push(['openapi', { components }])

/** A row of each view as the contract permits it and `date-time` does not: without seconds, and without a zone where none is noted. */
const rows = views.map(({ name, columns }) => {
  const timed = (zoned: string, other: string) => ({
    ...sampleRows[name],
    ...Object.fromEntries(
      columns.flatMap(({ name: column, format }) =>
        format ? [[column, format === 'iso8601-zoned' ? zoned : other]] : [],
      ),
    ),
  })
  return {
    view: `https://bioprocess-sql-contract.example/schemas/views/${name}.schema.json`,
    row: timed('2025-03-01T08:12Z', '2025-03-01T08:12'),
    wrong: timed('2025-03-01T08:12', 'yesterday'),
  }
})

test('the package has schemas of the views, of documents and of config files', () => {
  expect(schemas.map(([id]) => id)).toContain(join('config', 'serve.json'))
  expect(references.length).toBeGreaterThan(40)
})

test.each([
  ['as it is', (ajv: Ajv2020) => ajv],
  ['with ajv-formats', (ajv: Ajv2020) => ajvFormats.default.default(ajv)],
])('Ajv 8 with its default options, %s, compiles every schema and judges rows', (_, prepare) => {
  const ajv = prepare(new Ajv2020({ logger: false })).addKeyword('components')
  for (const [id, schema] of schemas) ajv.addSchema(schema, id)
  for (const reference of references) expect(() => ajv.compile({ $ref: reference }), reference).not.toThrow()
  for (const { view, row, wrong } of rows) {
    expect(ajv.validate(view, row), `${view}: ${ajv.errorsText()}`).toBe(true)
    expect(ajv.validate(view, wrong), view).toBe(false)
  }
})

const python = `import json, sys, warnings
warnings.simplefilter('ignore')
from jsonschema import Draft202012Validator
given = json.load(sys.stdin)
try:
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT202012
    known = {'registry': Registry().with_resources(
        (key, Resource(schema, DRAFT202012)) for key, schema in given['schemas'])}
except ImportError:
    from jsonschema import RefResolver
    known = {'resolver': RefResolver('', {}, store=dict(given['schemas']))}
def validator(reference):
    return Draft202012Validator({'$ref': reference}, **known)
for key, schema in given['schemas']:
    if '$id' in schema: Draft202012Validator.check_schema(schema)
for reference in given['references']: list(validator(reference).iter_errors({}))
for one in given['rows']:
    errors = [error.message for error in validator(one['view']).iter_errors(one['row'])]
    assert not errors, (one['view'], errors)
    assert not validator(one['view']).is_valid(one['wrong']), one['view']
print(len(given['references']), 'schemas')
`
const lacksPython = spawnSync('python3', ['-c', 'import jsonschema']).status !== 0
if (lacksPython) console.warn('A test of schemas in Python is skipped: install python3-jsonschema to run it.')

test.skipIf(lacksPython)('jsonschema of Python reads every schema and judges rows', () => {
  const { stdout, stderr } = spawnSync('python3', ['-c', python], {
    input: JSON.stringify({ schemas, references, rows }),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout).toBe(`${references.length} schemas\n`)
})
