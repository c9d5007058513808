import type { UndocumentedRegister } from '../schemas/generated/types.ts'
import type { GeneratedFile, Sources } from './load.ts'
import { json, moduleText } from './module-text.ts'

/** The modules that carry a JSON file of schemas/ into code: a JSON import would warn on Node 20. */
export function generateDataModules(sources: Sources): GeneratedFile[] {
  return [
    { path: 'contract.ts', text: contractModule(sources) },
    { path: 'requirements.ts', text: requirementsModule(sources) },
    { path: 'undocumented.ts', text: undocumentedModule(sources) },
    { path: 'knobs.ts', text: knobsModule(sources) },
    { path: 'statements.ts', text: statementsModule(sources) },
    { path: 'schemas.ts', text: schemasModule(sources) },
  ]
}

function contractModule({ contract }: Sources): string {
  return moduleText(
    '',
    '/** The endpoint, relations, delta columns, limits and messages of the contract. */',
    `export const contract = ${json(contract)} as const`,
  )
}

function requirementsModule({ requirements }: Sources): string {
  return moduleText(
    `import type { RequirementRegister } from './types.ts'

/** A sentence of the contract that can be tested. */
export type Requirement = RequirementRegister[number]

/** Where in the contract a sentence stands. */
export type Clause = Requirement['clause']

/** The register of requirements, in the order of the suite. */
export const requirements: readonly Requirement[] = ${json(requirements)}

/** The requirement with this id. Throws where the register has none. */
export function requirement(id: string): Requirement {
  const found = requirements.find((candidate) => candidate.id === id)
  if (!found) throw new Error(\`There is no requirement \${id}: use an id of schemas/requirements.json.\`)
  return found
}`,
  )
}

function undocumentedModule({ undocumented }: Sources): string {
  return moduleText(
    `import type { UndocumentedRegister } from './types.ts'

/** Something the contract does not show, and the ways in which services fill the silence. */
export type Undocumented = UndocumentedRegister[number]

/** One way in which services fill a silence of the contract. */
export type Variant = Undocumented['variants'][number]

/** The register of what the contract does not show. */
export const undocumented: readonly Undocumented[] = ${json(undocumented)}`,
  )
}

function knobsModule({ undocumented }: Sources): string {
  const knobs = (undocumented as UndocumentedRegister).flatMap(({ knob, default: usual, variants }) => {
    const others = variants.map(({ slug }) => slug).filter((slug) => slug !== usual)
    return knob === null ? [] : [[knob, [usual, ...others]]]
  })
  return moduleText(
    `
/** The knobs of the register of silences with the slugs of their variants, the default first. */
export const knobs = ${json(Object.fromEntries(knobs))} as const

/** A slug for every knob. */
export type Knobs = { readonly [Knob in keyof typeof knobs]: (typeof knobs)[Knob][number] }`,
  )
}

function statementsModule({ statements }: Sources): string {
  return moduleText(
    `
/** An example of a statement that the contract shows. */
export interface Statement {
  readonly id: string
  /** Where the contract shows it. */
  readonly clause: string
  readonly title: string
  readonly statement: string
}

/** The corpus of example statements. */
export const statements: readonly Statement[] = ${json(statements)}`,
  )
}

function schemasModule({ documents }: Sources): string {
  const record = Object.fromEntries(documents.map(({ name, schema }) => [name, schema]))
  return moduleText(
    `
/** A JSON Schema (2020-12) as data. */
export type SchemaDocument = Readonly<Record<string, unknown>>
`,
    '/** The schemas by their path below schemas/, without `.schema.json`. */',
    `export const schemas: Readonly<Record<string, SchemaDocument>> = ${json(record)}`,
  )
}
