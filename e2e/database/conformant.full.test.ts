import { afterAll, beforeAll, expect, test } from 'vitest'
import { runConformance } from '../../conformance/index.ts'
import { corpus } from '../../mock/hostile/corpus.test-helper.ts'
import { createReference, type Reference, type Server, startServer } from '../../mock/index.ts'
import { type AttackedServer, startAttackedServer } from '../frontend/hostile.test-helper.ts'
import { describeWithPostgres, TestDatabase, testPlant } from '../support/postgres/index.ts'

/** Harmless statements with numbers that older versions cannot read: 0x1F, 1_000. */
const since16 = new Set(['lexer-allows-2'])

/** Kinds of attacks that concern the database; e2e/frontend/hostile.full.test.ts sends the others. */
const reachesDatabase = new Set(['sql', 'lexer', 'unicode'])

/** Attacks with much memory or time that do not take the whole limit, and one of each that does. */
const quickResources = /^(too-much|depth|width)-|^(memory-[169]|deadline-1|time-7)$/

describeWithPostgres('a server over PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await TestDatabase.start(['max_connections=60'])
    await database.load()
  })
  afterAll(() => database?.stop())

  describeWithPostgres('behind pgbouncer in transaction mode', () => {
    let server: Server
    let reference: Reference
    beforeAll(async () => {
      const pooler = await database.pooler(4)
      server = await startServer({ database: { url: database.readerUrl(pooler) } })
      reference = await createReference(testPlant)
    })
    afterAll(async () => {
      await server?.close()
      await reference?.close()
    })

    test('is conformant, and gives the rows of the embedded engine for the corpus and generated statements', async () => {
      const { verdict, reasons, checks } = await runConformance({
        baseUrl: server.baseUrl,
        token: server.token,
        seeded: { reference: { ...reference, ...testPlant }, fuzz: 200 },
      })
      expect(reasons).toEqual([])
      expect(verdict).toBe('conformant')
      const different = checks.filter(({ id, outcome }) => id.startsWith('seeded.') && outcome !== 'pass')
      expect(different.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)).toEqual([])
    }, 240_000)
  })

  describeWithPostgres('under attack', () => {
    let server: AttackedServer
    beforeAll(async () => {
      server = await startAttackedServer(['--database', database.readerUrl()])
    })
    afterAll(() => server?.close())

    test('withstands the attacks of the corpus that concern the database', async () => {
      const [version] = await database.primary.sql(`SELECT current_setting('server_version_num')::int AS n`)
      const sent = corpus.filter(
        ({ id, kind }) =>
          (Number(version!['n']) >= 160_000 || !since16.has(id)) &&
          (reachesDatabase.has(kind) || quickResources.test(id)),
      )
      expect(sent.length).toBeGreaterThan(350)
      for (const attack of sent) await server.expectWithstands(attack)
    }, 240_000)
  })
})
