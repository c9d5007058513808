import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { chromiumOptions, launchChromium } from '../support/chromium.ts'
import { copyIntoClone, createExamplesProject } from '../support/examples-project.ts'
import { everyCase, noteSample, releaseOnly } from '../support/tiers.ts'
import { pageCommands } from '../support/page-commands.ts'
import { describePage, expectRulesUsed, type Rule, type Rules } from '../support/page-tests.ts'
import { TestDatabase } from '../support/postgres/index.ts'
import { freePort, missingPrograms } from '../support/postgres/programs.ts'

// Runs the commands in the READMEs of the examples. examples/foreign and examples/php have files of their own, and the stories have stories.full.test.ts.

/** A command that ends with this output. */
const prints = (text: RegExp): Rule => ({ proof: ({ stdout }) => expect(stdout).toMatch(text) })

/** A server of a page, on a free port. @param title of the page */
const shows = (title: string): Rule => ({
  as: (command) => `${command} -- --port 0`,
  serves: /(http:\/\/localhost:\d+)/,
  proof: async ({ origin }) => expect(await (await fetch(origin)).text()).toContain(`<title>${title}<`),
})

const lacksPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0
const pytest: Rule = {
  ...prints(/(8 passed|7 passed, 1 skipped)/),
  lacks: lacksPytest ? 'pytest' : undefined,
  as: (command) => command.replace(/pytest$/, 'python3 -B -m pytest -q -p no:cacheprovider'),
}

const withoutPostgres = missingPrograms()
let database: TestDatabase | undefined
/** A command of the minimal vendor with a free port, a small plant and the database of the test. */
const vendor = (command: string): string => {
  const { host, username, password } = new URL(database?.ownerUrl ?? 'postgres://localhost')
  return command
    .replaceAll('/tmp/', '.')
    .replace('fixtures export', 'fixtures export --scale 0.01')
    .replace('TOKEN=', 'PORT=0 TOKEN=')
    .replace('owner:secret@localhost', `${username}:${password}@${host}`)
    .replace('service:secret@localhost', `service:secret@${host}`)
}
const vendorServer: Rule = {
  as: vendor,
  serves: /Listening on (\S+)/,
  proof: async ({ origin }) =>
    expect(
      (await ask({ baseUrl: origin, token: 'secret' }, 'SELECT id FROM v_formulas')).rows.length,
    ).toBeGreaterThan(2),
}
let storybookPort: number

/** Only the release tier runs the commands that depend most on the packages of others. */
const elsewhere = everyCase ? undefined : 'npm run test:release'
noteSample({ of: 'commands for habits and for Storybook', ran: everyCase ? 2 : 0, exist: 2 })
/** Examples that also run as they stand in a clone of the repository, whose configuration for tests they must not take. */
const inClone = releaseOnly('examples in a clone', ['dashboard', 'vitest-browser'])

const examples: Readonly<Record<string, Rules>> = {
  dashboard: [
    [/^npm start/, shows('Runs')],
    [
      /^npm test/,
      {
        // a busy machine exceeds the limit of 5 s that vitest sets
        as: (command) => `npm run types && ${command} -- --test-timeout=60000`,
        ...prints(/(?=[^]*dashboard\.test\.tsx \(9 tests\))[^]*habits\.test\.ts \(\d+ tests/),
      },
    ],
    [
      /^npm run habits/,
      {
        elsewhere,
        // the report lets an id break after its dots
        proof: () =>
          expect(readFileSync(at('dashboard', 'habits.html'), 'utf8').replaceAll('<wbr />', '')).toContain(
            'rows.shape=prefixed',
          ),
      },
    ],
    [
      /^npm run storybook/,
      {
        elsewhere,
        as: (command) => `${command} -- --ci --exact-port --port ${storybookPort}`,
        serves: /Local: +(http:\/\/[\w.]+:\d+)/,
        proof: showsEveryState,
      },
    ],
    [
      /^npm run e2e/,
      {
        as: (command) => `${command} -- --repeat-each=${everyCase ? 17 : 1} --reporter=line`,
        ...prints(new RegExp(`${3 * (everyCase ? 17 : 1)} passed`)),
      },
    ],
  ],
  'minimal-vendor': [
    [/postgres:.*server\.mjs/, { ...vendorServer, lacks: withoutPostgres }],
    [/postgres:/, { as: vendor, lacks: withoutPostgres }],
    [/server\.mjs/, vendorServer],
    [/conformance/, prints(/^conformant {2}http/)],
    [/./, { as: vendor }],
  ],
  python: [
    [/^pip install/, { elsewhere: 'pytest is a program of this machine' }],
    [
      /^docker compose/,
      {
        as: () => 'npx bioprocess-sql serve --token development --listen 127.0.0.1:0',
        serves: /(http:\/\/\S+:\d+)/,
      },
    ],
    [/pytest$/, pytest],
  ],
  'service-worker-page': [[/^npm run dev/, shows('Runs of the plant')]],
  'vitest-browser': [
    [/^npx playwright install/, { elsewhere: 'the test has a Chromium, and CHROMIUM_PATH names it' }],
    [/^npm test/, prints(/Tests {2}3 passed/)],
  ],
}

let project: ReturnType<typeof createExamplesProject>
const at = (...path: string[]) => join(project.dir, 'examples', ...path)
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  environment = { CHROMIUM_PATH: (await chromiumOptions()).executablePath }
  storybookPort = await freePort()
  if (withoutPostgres === undefined) database = await TestDatabase.start()
  project = createExamplesProject(Object.keys(examples))
}, 300_000)
afterAll(async () => {
  await database?.stop()
  project?.remove()
})

for (const [name, rules] of Object.entries(examples)) {
  const page = `examples/${name}/README.md`
  const commands = pageCommands().flatMap((one) => (one.page === page ? [one.command] : []))
  test(`each rule is for a command of ${page}`, () => expectRulesUsed(rules, commands))
  describePage(
    page,
    commands,
    [[/^npm install/, { elsewhere: 'one install serves all examples' }], ...rules],
    {
      // the minimal vendor starts in the root of a clone
      folder: () => (name === 'minimal-vendor' ? project.dir : at(name)),
      env: () => environment,
    },
  )
  const tests = inClone.includes(name) ? ['npm test'] : []
  describePage(`${page} in a clone`, tests, rules, {
    folder: () => {
      const folder = copyIntoClone(project.dir, name)
      // all habits run above; one shows that they run in a clone too
      const habits = join(folder, 'src/habits.test.ts')
      if (existsSync(habits))
        writeFileSync(habits, readFileSync(habits, 'utf8').replace(/only: .*/, "only: ['http.success=201'],"))
      return folder
    },
    env: () => environment,
  })
}

test('each example with commands is tested', () => {
  const pages = pageCommands().map(({ page }) => page.split('/'))
  const names = new Set(pages.filter(([folder]) => folder === 'examples').map(([, name]) => name))
  expect([...names].filter((name) => !/^(foreign|php|story-.*)$/.test(name!)).toSorted()).toEqual(
    Object.keys(examples),
  )
})

/** Opens each story of the dashboard. */
async function showsEveryState({ origin }: { origin: string }): Promise<void> {
  const browser = await launchChromium()
  const page = await browser.newPage({ viewport: { width: 900, height: 420 } })
  const shown = page.locator('#storybook-root :is(h1, [role=alert] p, p:not([aria-busy]))').first()
  const read = async (story: string) => {
    const text = await shown.textContent({ timeout: 60_000 })
    await page.screenshot({ path: join(screenshots, `story-${story}.png`) })
    return text
  }
  const show = async (story: string) => {
    await page.evaluate(chooseStory, `dashboard--${story}`)
    return read(story)
  }
  try {
    await page.goto(`${origin}/iframe.html?id=dashboard--plant&viewMode=story`)
    expect(await read('plant')).toMatch(/^\d+ runs$/)
    expect(await show('run-in-progress')).toMatch(/^\d+ runs$/)
    expect(await page.getByLabel('My run').isVisible()).toBe(true)
    for (const [story, text] of storiesOfFailures) expect(await show(story)).toContain(text)
  } finally {
    await browser.close()
  }
}

/** Chooses another story in the page of Storybook, as a click in its list does, and waits until it is rendered. */
function chooseStory(storyId: string): Promise<void> {
  const { __STORYBOOK_ADDONS_CHANNEL__: channel } = globalThis as never as {
    __STORYBOOK_ADDONS_CHANNEL__: import('node:events').EventEmitter
  }
  return new Promise((resolve) => {
    channel.once('storyRendered', () => resolve())
    channel.emit('setCurrentStory', { storyId, viewMode: 'story' })
  })
}

/** The folder of the screenshots, for people to look at. */
const screenshots = 'node_modules/.cache/bioprocess-sql-e2e'

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
