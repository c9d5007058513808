import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Symbol } from 'typescript/unstable/sync'
import { configSchemas } from '../../cli/options/config-schema.ts'
import { ndjsonStream, type StreamHeader } from '../../conformance/reports/ndjson.ts'
import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import type { Compiler } from './compiler.ts'
import { Declarations } from './declarations.ts'
import { line } from './line.ts'
import { schemaLines } from './json-schema.ts'

/** Documents without a schema, and the type of what is written, which is found by its file and name. */
const typed: readonly (readonly [document: string, file: string, type: string])[] = [
  ['recording.json', 'fixtures/import/recording.ts', 'Recording'],
  ['manifest.json', 'fixtures/export/manifest.ts', 'Manifest'],
  ['traffic report', 'proxy/judgement.ts', 'Judgement'],
  ['traffic finding', 'schemas/traffic-finding.ts', 'TrafficFinding'],
  ['request log', 'mock/app/log/request-log.ts', 'LoggedRequest'],
]

/** The members of the JSON documents that commands read and write, and the keys of the config files. */
export const documentLines = (compiler: Compiler): string[] => [
  ...streamLines(),
  ...filesOf(compiler, 'schemas').flatMap((name) =>
    schemaLines(join(compiler.root, 'schemas', name), ['document', name.replace('.schema.json', '')]),
  ),
  ...configSchemas().flatMap(([name, schema]) =>
    schemaLines(name, ['config', name.replace('.json', '')], schema),
  ),
  // readers of a document know no name of a type
  ...typed.flatMap(([document, file, type]) =>
    new Declarations(compiler, new Set()).linesOf(exportOf(compiler, file, type), ['document', document]),
  ),
]

const filesOf = ({ root }: Compiler, folder: string): string[] =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith('.schema.json'))

/** The members that the lines of a report stream have besides those of the report. */
function streamLines(): string[] {
  const lines: string[] = []
  const stream = ndjsonStream({} as StreamHeader, (text) => lines.push(text))
  stream.result({ id: 'check' } as CheckResult)
  stream.end({ checks: [] } as unknown as ConformanceReport)
  return lines.flatMap((text) => {
    const { type, ...members } = JSON.parse(text) as { type: string }
    return Object.keys(members).map((name) => line(['document', 'report stream', type, name]))
  })
}

/** @throws Error if the file does not export the type */
function exportOf({ root, checker, program }: Compiler, path: string, type: string): Symbol {
  const file = program.getSourceFile(join(root, path))
  const module = file && checker.getSymbolAtLocation(file)
  const found = module && checker.getExportsOfModule(module).find(({ name }) => name === type)
  if (!found)
    throw new Error(`${path} exports no type ${type}. Correct the list in build/surface/documents.ts.`)
  return found
}
