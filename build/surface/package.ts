import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { line, value } from './line.ts'

interface Manifest {
  readonly name: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly engines: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

interface Action {
  readonly inputs: Readonly<Record<string, { default?: unknown; required?: boolean }>>
  readonly outputs: Readonly<Record<string, unknown>>
}

/** What package.json promises, the files behind `./schemas/*`, the GitHub action and the container image. */
export function packageLines(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { name, bin, exports, engines, peerDependencies } = JSON.parse(read('package.json')) as Manifest
  const { inputs, outputs } = parse(read('action.yml')) as Action
  const image = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1)!
  return [
    line(['package', name]),
    ...Object.keys(bin).map((command) => line(['package', 'bin', command])),
    ...Object.entries(engines).map(([engine, range]) => line(['package', 'engines', engine], range)),
    ...Object.entries(peerDependencies).map(([peer, range]) => line(['package', 'peer', peer], range)),
    ...Object.keys(exports).map((entry) => line(['export', entry])),
    ...readdirSync(join(root, 'schemas'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .map((file) => line(['export', './schemas/*', file.replaceAll('\\', '/')])),
    ...Object.entries(inputs).map(([input, { default: preset, required = false }]) =>
      line(['action', 'inputs', input], required ? 'required' : `default ${value(preset)}`),
    ),
    ...Object.keys(outputs).map((output) => line(['action', 'outputs', output])),
    ...[...image.matchAll(/^(ENV|EXPOSE|USER|WORKDIR|ENTRYPOINT|CMD) (.*)$/gm)].map(
      ([, instruction, given]) => line(['image', instruction!], given),
    ),
  ]
}
