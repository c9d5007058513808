import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Requirement } from '../schemas/generated/requirements.ts'
import type { Statement } from '../schemas/generated/statements.ts'
import type { Undocumented } from '../schemas/generated/undocumented.ts'
import type { JsonSchema } from './json-schema.ts'

/** One file of schemas/ that ends in `.schema.json`; `name` is its path there without that ending. */
export interface SchemaDocument {
  readonly name: string
  readonly schema: JsonSchema
}

/** Everything the generators read. */
export interface Sources {
  /** Views in the order of the contract, then the rest by name. */
  readonly documents: readonly SchemaDocument[]
  readonly contract: Contract
  readonly requirements: readonly Requirement[]
  readonly undocumented: readonly Undocumented[]
  readonly statements: readonly Statement[]
}

/** A generated file: its path below schemas/generated/ and its whole text. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

/** The part of contract.json that the generators read. */
export interface Contract {
  readonly version: string
  readonly endpoint: {
    readonly method: string
    readonly path: string
    readonly requestHeaders: Readonly<Record<string, string>>
  }
  readonly views: readonly string[]
  readonly uniqueIds: readonly string[]
  readonly relations: readonly { readonly from: string; readonly to: string }[]
  /** The join of Endpoints, rule 3. */
  readonly join: { readonly left: string; readonly right: string }
  readonly limits: { readonly executionMs: number; readonly timeoutStatus: number }
  readonly messages: Readonly<
    Record<'success' | 'empty' | 'unknownView' | 'exception' | 'jsonDecode', string>
  >
}

const ending = '.schema.json'

/** Reads the JSON files below `root`/schemas; `root` is the package's directory. */
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
    requirements: read('requirements.json'),
    undocumented: read('undocumented.json'),
    statements: read('statements.json'),
  }
}

/**
 * The schema that `$ref` names when it stands in `document`: another document by its path, or a local
 * `#/$defs/...`. Throws where there is none.
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
