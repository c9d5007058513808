import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import * as elsewhere from './elsewhere.ts'
import * as mock from './index.ts'
import * as msw from './msw/index.ts'

const root = join(import.meta.dirname, '..')

test('has each name that the entries ./msw and ./mock export', () => {
  expect(Object.keys(elsewhere)).toEqual(expect.arrayContaining([...Object.keys(msw), ...Object.keys(mock)]))
})

test('names the server at each use of an engine', () => {
  const { createMock, createReference, startServer, handlers, on } = elsewhere
  const uses = [
    createMock,
    createReference,
    startServer,
    () => [...handlers],
    () => (on as { timeout?: unknown }).timeout,
  ]
  for (const use of uses) expect(use).toThrow(/Run `npx bioprocess-sql serve` in another process/)
})

test('imports nothing of Node', async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'elsewhere.ts')],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
  })
  const outputs = Object.values(metafile.outputs)
  expect(outputs.flatMap(({ imports }) => imports)).toEqual([])
})

/** The file of an entry, as Node finds it with these conditions: those of others, and `import`, which Node adds. */
const resolved = (entry: string, ...conditions: string[]): string =>
  execFileSync(
    process.execPath,
    [
      ...conditions.map((condition) => `--conditions=${condition}`),
      '--input-type=module',
      '-e',
      `console.log(import.meta.resolve('bioprocess-sql-contract/${entry}'))`,
    ],
    { cwd: root, encoding: 'utf8' },
  )
    .trim()
    .replace(/.*(?=\/dist\/)/, '')

test.each(['react-native', 'deno'])('is what %s imports as ./msw and as ./mock', (condition) => {
  for (const entry of ['msw', 'mock']) expect(resolved(entry, condition)).toBe('/dist/mock/elsewhere.js')
})

test('is not what Jest requires with the preset of React Native, where Node runs the tests', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, Record<string, unknown>>
  }
  for (const entry of ['./msw', './mock'])
    expect(exports[entry]!['react-native']).toEqual({ import: './dist/mock/elsewhere.js' })
  expect(resolved('msw')).toBe('/dist/mock/msw/index.js')
})
