import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeEngine, type NodeEngine } from '../../../mock/node/pglite/index.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import type { PostgresEngine } from '../../../mock/node/postgres/options.ts'
import { loadPlant } from '../../../mock/node/postgres/load/load-plant.ts'
import { answerOf, connectPlain, differenceOf, type PlainPostgres } from '../support/answers/answer.ts'
import { allTemplates, generated, partsOf } from '../support/answers/generate.ts'
import { differences, usual } from '../support/answers/usual.ts'
import { describeWithPostgres, installations, TestDatabase, testPassword } from '../support/postgres/index.ts'
import { everyCase } from '../support/tiers.ts'

const seed = Number(process.env['ANSWERS_SEED'] ?? (everyCase ? Date.now() % 1e9 : 1))
const repeated = `ANSWERS_SEED=${seed} repeats this.`
const count = 2_000

/** Small, so that statements may nest. */
const plant = { seed: 1, scale: 0.01, asOf: '2026-01-01T00:00:00Z', runs: 3, pointInterval: 1440 }

describeWithPostgres('the embedded engine beside PostgreSQL', () => {
  let embedded: NodeEngine
  const databases: TestDatabase[] = []
  const servers: PlainPostgres[] = []
  const over: PostgresEngine[] = []

  beforeAll(async () => {
    embedded = await createNodeEngine(plant)
    for (const installation of installations()) {
      const database = await TestDatabase.start([], installation)
      databases.push(database)
      // the embedded engine knows the letters of all languages, and orders them as C does
      await database.primary.sql(`CREATE DATABASE answers OWNER loader TEMPLATE template0 LC_CTYPE 'C.UTF-8'`)
      await loadPlant(plant, {
        url: database.primary.url('loader', 'answers'),
        readerPassword: testPassword,
      })
      const url = database.primary.url('bioprocess_reader', 'answers')
      servers.push(await connectPlain(url))
      over.push(await createPostgresEngine({ url }))
    }
  })
  afterAll(async () => {
    await embedded?.close()
    for (const engine of over) await engine.close()
    for (const server of servers) await server.end()
    for (const database of databases) await database.stop()
  })

  test(`gives its answers to ${count} generated statements, which cover each template`, async () => {
    const times = new Map(allTemplates.map((template) => [template, 0]))
    const found: string[] = []
    const unmeant: string[] = []
    let withRows = 0
    for (const { sql, since, fails, templates } of generated(seed, count)) {
      const own = await answerOf(embedded, sql)
      if (fails === 'rows' in own) unmeant.push(sql)
      else for (const template of templates) times.set(template, times.get(template)! + 1)
      if ('rows' in own && own.rows.length > 0) withRows++
      for (const server of servers.filter(({ major }) => major >= since)) {
        const difference = differenceOf(sql, own, await server.answer(sql))
        if (difference) found.push(`PostgreSQL ${server.major}: ${sql}\n  ${difference}`)
      }
    }
    expect(found.length, `${repeated}\n${found.slice(0, 10).join('\n\n')}`).toBe(0)
    expect(unmeant.length, `${repeated}\n${unmeant.slice(0, 10).join('\n')}`).toBeLessThan(count / 10)
    expect(withRows, repeated).toBeGreaterThan(count / 2)
    expect(
      [...times].filter(([, times]) => times < 3),
      repeated,
    ).toEqual([])
  })

  test(`gives its answers to ${count} generated statements also through the server over it`, async () => {
    const found: string[] = []
    for (const { sql, since } of generated(seed, count))
      for (const [n, server] of servers.entries()) {
        if (server.major < since) continue
        const difference = differenceOf(sql, await answerOf(over[n]!, sql), await server.answer(sql))
        if (difference) found.push(`PostgreSQL ${server.major}: ${sql}\n  ${difference}`)
      }
    expect(found.length, `${repeated}\n${found.slice(0, 10).join('\n\n')}`).toBe(0)
  })

  test.each(partsOf(usual).map(({ sql, since }) => [sql, since] as const))(
    'gives its answer to %s',
    async (sql, since) => {
      const own = await answerOf(embedded, sql)
      expect(own).toHaveProperty('rows.0')
      for (const [n, server] of servers.entries()) {
        if (server.major < since) continue
        const plain = await server.answer(sql)
        expect(differenceOf(sql, own, plain), `PostgreSQL ${server.major}`).toBeUndefined()
        const through = differenceOf(sql, await answerOf(over[n]!, sql), plain)
        expect(through, `over PostgreSQL ${server.major}`).toBeUndefined()
      }
    },
  )

  test('has no collation of a language, and the server over PostgreSQL has all of it', async () => {
    const sql = `SELECT name FROM v_quantities WHERE 'a' < 'B' COLLATE "de-x-icu" ORDER BY name COLLATE "de-x-icu", id`
    expect(await answerOf(embedded, sql)).not.toHaveProperty('rows')
    for (const [n, server] of servers.entries()) {
      const plain = await server.answer(sql)
      expect(plain).toHaveProperty('rows.0')
      expect(differenceOf(sql, await answerOf(over[n]!, sql), plain)).toBeUndefined()
    }
  })

  test.each(differences.map(({ sql, until = Infinity, why }) => [sql, why, until] as const))(
    'differs in %s: %s',
    async (sql, _, until) => {
      const own = await answerOf(embedded, sql)
      for (const server of servers) {
        const difference = differenceOf(sql, own, await server.answer(sql))
        expect(difference !== undefined, `PostgreSQL ${server.major}: ${difference}`).toBe(
          server.major < until,
        )
      }
    },
  )
})
