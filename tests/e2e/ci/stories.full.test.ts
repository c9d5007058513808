import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { copyIntoClone, createExamplesProject } from '../support/examples-project.ts'
import { freePort } from '../support/postgres/programs.ts'
import { follow, type Place } from '../support/story.ts'

// Follows the stories of examples/ as a reader does.

const lacksNginx = spawnSync('nginx', ['-v']).status !== 0
if (lacksNginx)
  console.warn('The story of a vendor runs WITHOUT nginx: install nginx to run it as its page says.')

/** One install serves all stories. */
const oneInstall = /^npm install/

let project: ReturnType<typeof createExamplesProject>
const folderOf = (story: string) => join(project.dir, 'examples', story)

const stories: Readonly<Record<string, () => Place | Promise<Place>>> = {
  // as it stands in a clone, whose configuration for tests it must not take
  'story-front-end': () => ({
    folder: copyIntoClone(project.dir, 'story-front-end'),
    // a busy machine exceeds the limits that vitest sets
    as: (text) => text.replace(/^npm test/, 'npm test -- --hook-timeout=60000 --test-timeout=60000'),
  }),
  // only the run that has to be conformant waits for the time limit
  'story-pipeline': () => ({
    folder: folderOf('story-pipeline'),
    env: (command, isFirst) =>
      isFirst && /released|candidate/.test(command)
        ? { BIOPROCESS_SQL_SKIP: 'time.*', BIOPROCESS_SQL_ALLOW_INCOMPLETE: 'true' }
        : {},
  }),
  'story-vendor': async () => {
    const folder = folderOf('story-vendor')
    const service = String(await freePort())
    const proxy = lacksNginx ? service : String(await freePort())
    const as = (text: string) => text.replaceAll('4030', proxy).replaceAll('4031', service)
    for (const name of ['nginx.conf', 'service.py'])
      writeFileSync(join(folder, name), as(readFileSync(join(folder, name), 'utf8')))
    return { folder, as, leftOut: lacksNginx ? /^(npm install|nginx)/ : oneInstall }
  },
}

beforeAll(() => {
  project = createExamplesProject(Object.keys(stories))
})
afterAll(() => project?.remove())

// together, because they wait for most of their time
test.concurrent.each(Object.entries(stories))(
  'a reader follows examples/%s to its end',
  async (name, place) => {
    await follow(`examples/${name}/README.md`, { leftOut: oneInstall, ...(await place()) })
  },
)

test('each story is followed', () => {
  const found = readdirSync(join(root, 'examples')).filter((name) => name.startsWith('story-'))
  expect(found).toEqual(Object.keys(stories))
})
