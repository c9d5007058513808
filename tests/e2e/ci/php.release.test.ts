import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, test } from 'vitest'
import { createExamplesProject } from '../support/examples-project.ts'
import { describeWithPostgres, TestDatabase } from '../support/postgres/index.ts'
import { freePort } from '../support/postgres/programs.ts'
import { follow } from '../support/story.ts'

const lacksPhp = !spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout?.includes('pgsql')
if (lacksPhp) console.warn('The vendor in PHP is not judged: install php-cli and php-pgsql.')

describeWithPostgres('the vendor in PHP', () => {
  let project: ReturnType<typeof createExamplesProject>
  let database: TestDatabase
  beforeAll(async () => {
    project = createExamplesProject(['php'])
    database = await TestDatabase.start()
  })
  afterAll(async () => {
    await database?.stop()
    project?.remove()
  })

  test.skipIf(lacksPhp)('is conformant, as its page says', async () => {
    const port = String(await freePort())
    const as = (text: string) =>
      text
        .replace('postgres://owner:secret@127.0.0.1:5432/plant', database.ownerUrl)
        .replace(':5432', `:${database.primary.port}`)
        .replaceAll('4035', port)
    await follow('examples/php/README.md', { folder: `${project.dir}/examples/php`, as })
  })
})
