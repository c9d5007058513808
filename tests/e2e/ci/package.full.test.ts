import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '../../../schemas/contract.ts'
import { root } from '../support/cli.ts'
import { addedPackages, packInto, unpackInto } from '../support/installed-package.ts'
import { docSnippet, snippetWith } from '../support/doc-snippet.ts'
import { scratch } from '../support/vendor.ts'

/** A project in which the packed package is installed. */
const project = scratch()
const installed = join(project.dir, 'node_modules/bioprocess-sql-contract')

beforeAll(() => {
  unpackInto(project.dir, packInto(project.dir))
}, 240_000)
afterAll(() => project.remove())

const tarballIn = (folder: string) =>
  join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  )

/** The bytes of all files in a folder, without those of packages in it. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => sum + (statSync(path).isDirectory() ? sizeOf(path) : statSync(path).size), 0)

const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, {
    cwd: project.dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

test('the package has the schemas of config files, which editors read', () => {
  for (const name of ['serve', 'exec', 'conformance'])
    expect(JSON.parse(readFileSync(join(installed, `schemas/config/${name}.json`), 'utf8'))).toMatchObject({
      title: `Config file of bioprocess-sql ${name}`,
    })
})

test('the package has no sources beside what was built from them', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => /(?<!\.d)\.[mc]?tsx?$/.test(name))).toEqual([])
})

test('the packed command and its worker threads run as plain JavaScript', () => {
  const command = join(installed, 'dist/cli/main.js')
  expect(node(command, 'contract', 'ddl')).toContain('CREATE VIEW public.v_bioprocesses')
  // tests/e2e/vendor/profile.full.test.ts runs the whole suite of the same build
  const report = node(command, 'conformance', '--self', '--only', 'http.*', '--allow-incomplete')
  expect(report).toMatch(
    /^incomplete {2}the reference server of this package \(http:\/\/127\.0\.0\.1:\d+\)\nset v2 · \d+ passed, 0 failed/,
  )
})

test('the package of a quick build has at most 12 MB, and an install of it at most 65 MB', () => {
  // `npm pack` compresses more: build/release.ts knows that limit
  expect(statSync(tarballIn(project.dir)).size).toBeLessThan(12e6)
  const sizes = [installed, ...addedPackages().map((name) => join(root, 'node_modules', name))].map(sizeOf)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(65e6)
})

test('publint and attw find nothing wrong with the packed package', () => {
  const tool = (name: string, ...args: string[]) =>
    execFileSync(join(root, 'node_modules/.bin', name), args, { cwd: project.dir, encoding: 'utf8' })
  const tarball = tarballIn(project.dir)
  expect(tool('publint', 'run', tarball, '--strict')).toContain('All good!')
  // the package has ES modules only, as its documentation says; attw exits with 1 if it finds a problem
  expect(tool('attw', tarball, '--profile', 'esm-only')).toContain('🟢 (ESM)')
})

test('npm runs no script when the package is installed', () => {
  const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  // `prepare` runs for a Git dependency, and npm warns of it for every other one
  for (const name of ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare'])
    expect(scripts).not.toHaveProperty(name)
})

test('every entry of the packed package can be imported', () => {
  writeFileSync(
    join(project.dir, 'use.mjs'),
    `import { contract, validators, views } from 'bioprocess-sql-contract'
     import { createClient } from 'bioprocess-sql-contract/client'
     import { createDataset } from 'bioprocess-sql-contract/fixtures'
     import { runConformance } from 'bioprocess-sql-contract/conformance'
     import { createReference } from 'bioprocess-sql-contract/mock'
     import { createMock } from 'bioprocess-sql-contract/msw'
     import { runHabits } from 'bioprocess-sql-contract/client-conformance'
     import 'bioprocess-sql-contract/client-conformance/node-test'
     const [row] = createDataset({ scale: 0.01 }).rows('v_formulas')
     const reference = await createReference({ scale: 0.01 })
     const { baseUrl, token, fetch } = reference
     const report = await runConformance({ baseUrl, token, fetch, only: ['delta.*'] })
     const [quantity] = await createClient({ baseUrl, token, fetch }).views.v_quantities.select({ limit: 1 })
     await reference.close()
     console.log(contract.version, views.length, validators['views/v_formulas'](row), report.counts.fail, typeof createMock)
     console.log(validators['views/v_quantities'](quantity))
     const tests = async (service) => void (await createClient(service).views.v_formulas.select({ limit: 1 }))
     const { verdict, results } = await runHabits(tests, { only: ['rows.case=upper'] })
     console.log(verdict, results.map(({ id, outcome }) => id + ' ' + outcome).join())`,
  )
  expect(node('use.mjs').trim()).toBe(
    `v1 ${contract.views.length} true 0 function\ntrue\npassed rows.case=upper survived`,
  )
})

test('the instrumentation.js of docs/front-end.md answers in the Node runtime of Next.js, and leaves the others alone', () => {
  writeFileSync(
    join(project.dir, 'instrumentation.mjs'),
    snippetWith('front-end.md', 'export async function register'),
  )
  writeFileSync(
    join(project.dir, 'next.mjs'),
    `import { register } from './instrumentation.mjs'
     const real = globalThis.fetch
     process.env.NEXT_RUNTIME = 'edge'
     await register()
     console.log(globalThis.fetch === real)
     process.env.NEXT_RUNTIME = 'nodejs'
     await register()
     const response = await fetch('https://data.example.org/external/v1/statements/', {
       method: 'POST',
       headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
       body: JSON.stringify({ statement: 'SELECT id FROM v_formulas LIMIT 2' }),
     })
     console.log(response.status, (await response.json()).data.length)`,
  )
  expect(node('next.mjs').trim()).toBe('true\n200 2')
})

test('the snippets of the docs and every entry of the packed package compile without skipLibCheck', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string }>
  }
  const entries = Object.keys(exports).filter((entry) => exports[entry]!.types)
  expect(entries.length).toBeGreaterThan(6)
  const imports = entries.map((entry) => `import 'bioprocess-sql-contract${entry.slice(1)}'`)
  const snippet = docSnippet('client.md', 'bioprocess-sql-contract/client')
  const errors = compile({
    'snippet.mts': snippet,
    'wrong.mts': snippet.replace('name, status', 'name, unit'),
    'outside.mts': snippetWith('front-end.md', 'parseVariants'),
    'entries.mts': `${imports.join('\n')}\nexport const wrong: string = 1`,
  })
  expect(errors).toEqual([
    expect.stringMatching(/^entries\.mts.* TS2322/),
    expect.stringMatching(/^wrong\.mts.*'unit' does not exist/),
  ])
})

/** Compiles modules in the project. @returns the errors of TypeScript */
function compile(modules: Readonly<Record<string, string>>): string[] {
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(project.dir, name), text)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom',
  ]
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  try {
    execFileSync(process.execPath, [tsc, ...flags, ...types, ...Object.keys(modules)], {
      cwd: project.dir,
      encoding: 'utf8',
    })
    return []
  } catch (error) {
    const { stdout } = error as { stdout: string }
    return stdout
      .split('\n')
      .filter((line) => /error TS\d+/.test(line))
      .toSorted()
  }
}
