import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import type { PostgresEngine } from '../../../mock/node/postgres/options.ts'
import { corpus } from '../support/hostile/corpus.ts'
import { describeWithPostgres, superuser, TestDatabase } from '../support/postgres/index.ts'

/** What the next client of a connection would find, as PostgreSQL tells it. */
const stateSql = `SELECT
  (SELECT json_agg(name) FROM pg_cursors WHERE name <> '') AS cursors, (SELECT json_agg(name) FROM pg_prepared_statements WHERE name <> '') AS prepared,
  (SELECT count(*)::int FROM pg_locks WHERE pid = pg_backend_pid() AND locktype NOT IN ('virtualxid', 'relation')) AS locks,
  (SELECT count(*)::int FROM pg_class WHERE relpersistence = 't') AS temporary, session_user || current_user AS roles,
  (SELECT count(*)::int FROM pg_listening_channels()) AS listening,
  (SELECT md5(string_agg(name || setting, ',' ORDER BY name)) FROM pg_settings WHERE name NOT IN ('client_encoding', 'application_name')) AS settings`

/** What could have changed for all. */
const databaseSql = `SELECT (SELECT json_build_array(count(*), max(oid))::text FROM pg_class) AS objects, (SELECT count(*)::int FROM pg_largeobject_metadata) AS large,
  (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory') AS locks, (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int FROM pg_stat_user_tables) AS written`

const statements = [
  'SELECT * FROM v_timeseries_data',
  'SELECT 1 / (count(*) - count(*)) FROM v_quantities',
  'SELECT random(), gen_random_uuid()',
  'SELECT setseed(0.5)',
  'SELECT pg_advisory_lock(4711)',
  'SELECT f.pg_advisory_lock AS pg_advisory_lock FROM unnest(ARRAY[4711]::int8[]) f',
  "SELECT f.ts_stat AS ts_stat FROM unnest(ARRAY['SELECT pg_advisory_lock(1)::text::tsvector']) f",
  "SELECT pg_logical_emit_message(false, 'x', repeat('a', 1000000))",
  ...corpus.flatMap(({ kind, send }) => ('statement' in send && kind === 'sql' ? [send.statement] : [])),
]

describeWithPostgres('a connection that a pooler shares', () => {
  let database: TestDatabase
  let engine: PostgresEngine
  let ask: () => Promise<unknown>
  beforeAll(async () => {
    database = await TestDatabase.start()
    await database.load()
    const pooler = await database.pooler(1)
    engine = await createPostgresEngine({ url: database.readerUrl(pooler), connections: 1 })
    ask = async () => ({
      ...(await pooler.sql(stateSql, 'bioprocess_reader', 'plant'))[0],
      ...(await database.primary.sql(databaseSql, superuser, 'plant'))[0],
    })
  })
  afterAll(async () => {
    await engine?.close()
    await database?.stop()
  })

  test('has no lock, setting, cursor, prepared statement, temporary object or role of a statement left', async () => {
    await rowsOf(engine, 'SELECT 1 AS one')
    const before = await ask()
    expect(before).toMatchObject({ cursors: null, prepared: null, locks: 0, temporary: 0, listening: 0 })
    for (const statement of statements) {
      await rowsOf(engine, statement).catch(() => {})
      expect(await ask(), statement).toEqual(before)
    }
  }, 120_000)
})
