import { beforeAll, expect, test } from 'vitest'
import { corpus } from '../../../tests/e2e/support/hostile/corpus.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { smallSnapshot } from '../../node/pglite/plant.test-helper.ts'
import { createSettings } from '../../open-points/settings.ts'
import { Database } from './database.ts'
import { Session } from './session.ts'

/** What a statement could leave behind, as PostgreSQL tells its owner: in the session of the role, before its rights are given up. */
const stateSql = `SELECT json_build_object(
  'role', session_user || current_user, 'path', current_setting('search_path'),
  'locks', (SELECT count(*) FROM pg_locks WHERE locktype NOT IN ('virtualxid', 'relation')),
  'advisory', (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),
  'cursors', (SELECT count(*) FROM pg_cursors WHERE name <> ''),
  'prepared', (SELECT json_agg(statement) FROM pg_prepared_statements WHERE statement NOT LIKE '%json_build_object%'),
  'settings', (SELECT md5(string_agg(name || setting, ',' ORDER BY name)) FROM pg_settings
    WHERE name NOT IN ('search_path', 'session_authorization', 'role', 'is_superuser')),
  'temporary', (SELECT count(*) FROM pg_class WHERE relpersistence = 't'),
  'objects', (SELECT json_build_array(count(*), max(oid)) FROM pg_class),
  'roles', (SELECT count(*) FROM pg_roles), 'large', (SELECT count(*) FROM pg_largeobject_metadata),
  'listening', (SELECT count(*) FROM pg_listening_channels()))::text AS state`

/** A session that tells what is left in it. */
class OpenSession extends Session {
  static override async open(...image: Parameters<typeof Database.start>): Promise<OpenSession> {
    return new OpenSession(await Database.start(...image), undefined)
  }
  async state(): Promise<string> {
    let state = ''
    await this.tables.asOwner(async () => {
      const { rows } = await this.database.query<{ state: string }>(stateSql)
      state = rows[0]!.state
    })
    return state
  }
}

let session: OpenSession
beforeAll(async () => {
  session = await OpenSession.open(await smallSnapshot(), await loadArtifacts())
})

const attacks = corpus.flatMap(({ kind, send }) =>
  'statement' in send && kind !== 'resource' ? [send.statement] : [],
)
const others = [
  'SELECT * FROM v_timeseries_data',
  'SELECT 1 / (300 - count(*)) FROM v_timeseries_data',
  'SELECT random(), random_normal(), gen_random_uuid(), clock_timestamp()',
  'SELECT setseed(0.5)',
  "SELECT set_config('timezone', 'Asia/Tokyo', false)",
  'SELECT pg_advisory_lock(1), pg_try_advisory_lock_shared(2)',
  'LISTEN x',
  'PREPARE p AS SELECT 1',
  'DECLARE c CURSOR WITH HOLD FOR SELECT 1',
  'CREATE TEMP TABLE t (x int)',
  "SELECT ROW(1, 'x'), row_to_json(v) FROM v_quantities v",
]

test.each<Readonly<Record<string, string>>>([{}, { 'sql.accept': 'any', 'sql.multi': 'merged' }])(
  'no statement leaves a lock, setting, cursor, prepared statement, temporary object or role behind, with %j',
  async (settings) => {
    const before = await session.state()
    expect(before).toContain('"role" : "postgrespostgres"')
    for (const statement of [...others, ...attacks]) {
      try {
        // the reader leaves after the first page
        for await (const _ of session.run(statement, createSettings(settings))) break
      } catch {}
      expect(await session.state(), statement).toBe(before)
    }
  },
)
