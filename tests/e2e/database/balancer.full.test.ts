import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import { haproxyConfig, lacksHaproxy, startHaproxy } from '../support/haproxy.ts'
import { describeWithPostgres, TestDatabase, type TestServer } from '../support/postgres/index.ts'
import { freePort } from '../support/postgres/programs.ts'

describeWithPostgres('the engine behind the balancer of docs/postgresql.md', () => {
  let database: TestDatabase
  let standby: TestServer
  beforeAll(async () => {
    database = await TestDatabase.start(['max_connections=60'])
    await database.load()
    standby = await database.standby('one')
  })
  afterAll(() => database?.stop())

  test.skipIf(lacksHaproxy)(
    'uses both servers, and loses no statement when the primary dies and the standby is promoted',
    async () => {
      const port = await freePort()
      const servers = [database.primary, standby]
      const [db2, db3] = servers.map((server) => `127.0.0.1:${server.port}`) as [string, string]
      const stop = startHaproxy(
        haproxyConfig('postgresql.md', { ':5432': `127.0.0.1:${port}`, 'db2:5432': db2, 'db3:5432': db3 }),
      )
      const engine = await vi.waitFor(
        () => createPostgresEngine({ url: database.readerUrl({ port }), connections: 4 }),
        { timeout: 20_000, interval: 200 },
      )
      try {
        await Promise.all(Array.from({ length: 40 }, (_, n) => rowsOf(engine, `SELECT pg_sleep(0.05), ${n}`)))
        for (const server of servers) {
          const [row] = await server.sql(
            `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'bioprocess_reader'`,
          )
          expect(row!['n']).toBeGreaterThan(0)
        }
        const answers: Promise<unknown>[] = []
        const failover = (async () => {
          await sleep(1_000)
          await database.primary.kill()
          await sleep(500)
          await standby.sql('SELECT pg_promote()')
        })()
        for (let n = 0; n < 500; n++) {
          answers.push(rowsOf(engine, `SELECT id, ${n} AS n FROM v_quantities LIMIT 3`))
          await sleep(10)
        }
        await failover
        const outcomes = await Promise.allSettled(answers)
        expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
      } finally {
        await engine.close()
        await stop()
      }
    },
  )
})
