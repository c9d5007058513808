import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { corpus, type Hostile } from '../support/hostile/corpus.ts'
import { createReference, type Reference, startServer } from '../../../mock/index.ts'
import { type AttackedServer, startAttackedServer } from '../frontend/hostile.test-helper.ts'
import { releaseOnly } from '../support/tiers.ts'
import {
  describeWithNewest,
  describeWithPostgres,
  installations,
  newestInstallation,
  TestDatabase,
  testPlant,
} from '../support/postgres/index.ts'

/** Attacks with syntax that an older PostgreSQL does not know, and the first version that does. */
const firstVersion = new Map([
  ['lexer-allows-2', 160_000],
  ['json-path-4', 170_000],
])

/** Attacks that the embedded engine answers because its catalogue has nothing to tell. */
const onlyEmbedded = new Set(
  'function-1 disguise-13 disguise-30 disguise-31 disguise-32 disguise-33 disguise-44 catalogue-15'.split(
    ' ',
  ),
)

/** Kinds of attacks that concern the database; tests/e2e/frontend/hostile.full.test.ts sends the others. */
const reachesDatabase = new Set(['sql', 'lexer', 'unicode'])
const attacks = corpus
  .filter(({ kind }) => reachesDatabase.has(kind))
  .map((attack) =>
    onlyEmbedded.has(attack.id) ? { ...attack, must: { status: [200], state: 'error' as const } } : attack,
  )

/** Attacks with much memory or time, and how many are sent at a time. */
const [resources, atOnce] = [corpus.filter(({ kind }) => kind === 'resource'), 8]

/** A database with the plant of the tests. */
async function loaded(installation = installations()[0]): Promise<TestDatabase> {
  const database = await TestDatabase.start(['max_connections=60'], installation)
  await database.load()
  return database
}

/** What docs/postgresql.md recommends. */
const limits = `ALTER ROLE bioprocess_reader SET temp_file_limit = '64MB'; ALTER ROLE bioprocess_reader SET work_mem = '16MB'`

describeWithPostgres('a server over PostgreSQL behind pgbouncer in transaction mode', () => {
  let databases: readonly TestDatabase[] = []
  let reference: Reference
  beforeAll(async () => {
    databases = await Promise.all(installations().map(loaded))
    reference = await createReference(testPlant)
  })
  afterAll(async () => {
    await reference?.close()
    for (const database of databases) await database.stop()
  })

  async function judge(database: TestDatabase): Promise<void> {
    const pooler = await database.pooler(4)
    const server = await startServer({ database: { url: database.readerUrl(pooler) } })
    const { verdict, reasons, checks } = await runConformance({
      baseUrl: server.baseUrl,
      token: server.token,
      seeded: { reference: { ...reference, ...testPlant }, fuzz: 200 },
    }).finally(() => server.close())
    expect(reasons).toEqual([])
    expect(verdict).toBe('conformant')
    const different = checks.filter(({ id, outcome }) => id.startsWith('seeded.') && outcome !== 'pass')
    expect(different.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)).toEqual([])
  }

  test('is conformant, and gives the rows of the embedded engine for the corpus and generated statements', async () => {
    // most of a run waits for the time limit
    await Promise.all(databases.map(judge))
  }, 240_000)
})

describeWithPostgres('a server over PostgreSQL under attack', () => {
  let database: TestDatabase
  let server: AttackedServer
  beforeAll(async () => {
    database = await loaded()
    await database.primary.sql(limits)
    server = await startAttackedServer(['--database', database.readerUrl()], '2s')
  })
  afterAll(async () => {
    await server?.close()
    await database?.stop()
  })

  test('withstands the attacks of the corpus that concern the database', async () => {
    const [version] = await database.primary.sql(`SELECT current_setting('server_version_num')::int AS n`)
    const sent = attacks.filter(({ id }) => Number(version!['n']) >= (firstVersion.get(id) ?? 0))
    expect(sent.length).toBeGreaterThan(300)
    for (const attack of sent) await server.expectWithstands(attack)
    await server.expectUnchanged()
  }, 240_000)

  test('withstands the attacks with memory and time, several at once, and nothing of them stays on the server', async () => {
    expect(resources.length).toBeGreaterThan(60)
    for (let from = 0; from < resources.length; from += atOnce) {
      const some: readonly Hostile[] = resources.slice(from, from + atOnce)
      await Promise.all(some.map((attack) => server.expectWithstands(attack)))
    }
    await server.expectUnchanged()
    // some functions notice only at their end that they are cancelled
    await vi.waitFor(
      async () => {
        expect(
          await database.primary.sql(
            `SELECT query FROM pg_stat_activity WHERE usename = 'bioprocess_reader' AND state = 'active'`,
          ),
        ).toEqual([])
      },
      { timeout: 30_000, interval: 200 },
    )
    expect(await database.primary.sql('SELECT name FROM pg_ls_tmpdir()')).toEqual([])
  }, 240_000)
})

describeWithNewest('a server over PostgreSQL 18', () => {
  let database: TestDatabase
  let server: AttackedServer
  beforeAll(async () => {
    database = await loaded(newestInstallation)
    server = await startAttackedServer(['--database', database.readerUrl()])
  })
  afterAll(async () => {
    await server?.close()
    await database?.stop()
  })

  test('keeps the promises of the rights', () => {
    expect(server.log()).toMatch(/the rights of bioprocess_reader permit nothing but to read/)
  })

  test.each(releaseOnly('attacks over PostgreSQL 18', attacks).map((attack) => [attack.id, attack] as const))(
    'withstands %s on PostgreSQL 18',
    (_, attack) => server.expectWithstands(attack),
  )
})
