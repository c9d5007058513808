import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Contract } from '../../schemas/contract.ts'
import type { OpenPoint } from '../../schemas/open-points.ts'
import type { Requirement } from '../../schemas/requirements.ts'
import type { Statement } from '../../schemas/statements.ts'
import type { JsonSchema } from './json-schema.ts'
import { expand } from './requirements.ts'

/** A file of schemas/ that ends in `.schema.json`; `name` is its path in schemas/ without that ending. */
export interface SchemaDocument {
  readonly name: string
  readonly schema: JsonSchema
}

/** The input of the generators. */
export interface Sources {
  /** Views in the order of the contract, then the rest by name. */
  readonly documents: readonly SchemaDocument[]
  readonly contract: Contract
  readonly requirements: readonly Requirement[]
  /** In the order of the contract. */
  readonly openPoints: readonly OpenPoint[]
  readonly statements: readonly Statement[]
}

/** A generated file: its path in schemas/generated/ and its text. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

const ending = '.schema.json'

/** Reads the JSON files in `root`/schemas; `root` is the directory of the package. */
export function load(root: string): Sources {
  const directory = join(root, 'schemas')
  const read = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8'))
  const contract: Contract = read('contract.json')
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => path.slice(0, -ending.length).split(sep).join('/'))
  const views = contract.views.map((view) => `views/${view}`)
  const others = names.filter((name) => !views.includes(name)).toSorted()
  return {
    documents: [...views, ...others].map((name) => ({ name, schema: read(name + ending) })),
    contract,
    requirements: expand(read('requirements.json'), contract),
    openPoints: openPointsIn(join(directory, 'open-points')),
    statements: read('statements.json'),
  }
}

/** The id of an open point is the path of its file: rows/case.json is `rows.case`. */
function openPointsIn(directory: string): OpenPoint[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => ({
      id: path.slice(0, -'.json'.length).split(sep).join('.'),
      ...JSON.parse(readFileSync(join(directory, path), 'utf8')),
    }))
    .toSorted((a, b) => a.number.localeCompare(b.number))
}

/**
 * The schema that a `$ref` in `document` refers to: another document by its path, or a local `#/$defs/...`.
 *
 * @throws Error if there is no such schema
 */
export function resolve(sources: Sources, document: SchemaDocument, ref: string): JsonSchema {
  const url = new URL(ref, document.schema.$id)
  const target = sources.documents.find(({ schema }) => schema.$id === url.href.replace(/#.*$/, ''))
  const found = url.hash.startsWith('#/$defs/') ? target?.schema.$defs?.[url.hash.slice(8)] : target?.schema
  if (!found) {
    throw new Error(`${document.name}${ending} refers to ${ref}, which is not in schemas/: correct the $ref.`)
  }
  return found
}
