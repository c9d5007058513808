import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { parseDatabaseUrl } from '../../../mock/node/postgres/connect/address.ts'
import { connect } from '../../../mock/node/postgres/connect/connect.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import { inspectHost } from '../../../mock/node/postgres/inspect/inspect-host.ts'
import { secondLock } from '../../../mock/node/postgres/inspect/second-lock.ts'
import { loadPlant } from '../../../mock/node/postgres/load/load-plant.ts'
import { EngineBusy } from '../../../mock/statement.ts'
import { describeWithPostgres, superuser, TestDatabase, testPlant } from '../support/postgres/index.ts'

describeWithPostgres('the rights of the reader', () => {
  let database: TestDatabase
  const sql = (text: string) => database.primary.sql(text, superuser, 'plant')
  beforeAll(async () => {
    // which would begin transactions
    database = await TestDatabase.start(['autovacuum=off'])
    await database.load()
    await sql(
      `CREATE TABLE public.theirs (id int); CREATE SEQUENCE public.numbers; CREATE ROLE group_of_them`,
    )
    await sql(
      `CREATE SCHEMA closed; CREATE TABLE closed.theirs (id int); GRANT INSERT ON closed.theirs TO PUBLIC;
       CREATE FUNCTION closed.f() RETURNS int LANGUAGE sql SECURITY DEFINER AS $$ SELECT 1 $$; SELECT lo_create(4711)`,
    )
  })
  afterAll(() => database?.stop())

  const starting = async (role = 'bioprocess_reader') => {
    const engine = await createPostgresEngine({ url: database.primary.url(role, 'plant') })
    await engine.close()
  }

  /** What an engine does with each connection that it opens. */
  const inspecting = async () => {
    const client = await connect(parseDatabaseUrl(database.readerUrl())[0]!)
    const limits = { timeLimitMs: 30_000, readerLimitMs: 60_000 }
    await inspectHost(client, 'host', { ...limits, schema: 'bioprocess' }).finally(() => client.end())
  }

  /** The number of the next transaction that changes something. */
  const nextTransaction = () => sql('SELECT pg_snapshot_xmax(pg_current_snapshot()) AS next')

  test.each<readonly [string, string, RegExp]>([
    ['is a superuser', 'ALTER ROLE bioprocess_reader SUPERUSER', /is a superuser.* NOSUPERUSER/],
    ['may become one', `GRANT ${superuser} TO bioprocess_reader`, /may become the superuser/],
    ['may create roles', 'ALTER ROLE bioprocess_reader CREATEROLE', /may create roles.* NOCREATEROLE/],
    ['may create databases', 'ALTER ROLE bioprocess_reader CREATEDB', /may create roles or databases/],
    ['may replicate', 'ALTER ROLE bioprocess_reader REPLICATION', /replicate/],
    ['passes over row security', 'ALTER ROLE bioprocess_reader BYPASSRLS', /pass over row security/],
    ...[
      'pg_execute_server_program',
      'pg_read_server_files',
      'pg_write_server_files',
      'pg_write_all_data',
      'pg_read_all_data',
      'pg_signal_backend',
    ].map(
      (role) =>
        [
          `is a member of ${role}`,
          `GRANT ${role} TO bioprocess_reader`,
          new RegExp(`is a member of ${role}.* Run: REVOKE ${role} FROM bioprocess_reader`),
        ] as const,
    ),
    [
      'is a member of a role that may write',
      'GRANT INSERT ON public.theirs TO group_of_them; ALTER ROLE bioprocess_reader NOINHERIT; GRANT group_of_them TO bioprocess_reader',
      /has the right INSERT on table (public\.)?theirs, .* Run: REVOKE INSERT ON public\.theirs FROM group_of_them/,
    ],
    [
      'may write a column',
      'GRANT UPDATE (id) ON public.theirs TO bioprocess_reader',
      /has the right UPDATE on column id of table (public\.)?theirs/,
    ],
    [
      'may take numbers of a sequence',
      'GRANT USAGE ON SEQUENCE public.numbers TO PUBLIC',
      /has the right USAGE on sequence (public\.)?numbers/,
    ],
    [
      'may write to a view',
      'GRANT DELETE ON bioprocess.v_quantities TO bioprocess_reader',
      /REVOKE DELETE ON bioprocess\.v_quantities FROM bioprocess_reader/,
    ],
    [
      'may create in a schema',
      'GRANT CREATE ON SCHEMA public TO PUBLIC',
      /REVOKE CREATE ON SCHEMA public FROM PUBLIC/,
    ],
    [
      'may create schemas',
      'GRANT CREATE ON DATABASE plant TO bioprocess_reader',
      /has the right CREATE on database plant/,
    ],
    ['owns a table', 'ALTER TABLE public.theirs OWNER TO bioprocess_reader', /owns table (public\.)?theirs/],
    [
      'owns a function',
      'CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$; ALTER FUNCTION public.f() OWNER TO bioprocess_reader',
      /owns function (public\.)?f\(\)/,
    ],
    ['owns the database', 'ALTER DATABASE plant OWNER TO bioprocess_reader', /owns database plant/],
    [
      'may read secrets',
      'GRANT SELECT ON pg_authid TO bioprocess_reader',
      /has the right SELECT on table pg_authid/,
    ],
    [
      'may read secrets in a view',
      'GRANT SELECT ON pg_shadow TO PUBLIC',
      /REVOKE SELECT ON pg_catalog\.pg_shadow FROM PUBLIC/,
    ],
    [
      'may read secrets in a column',
      'GRANT SELECT (subconninfo) ON pg_subscription TO bioprocess_reader',
      /has the right SELECT on column subconninfo of table pg_subscription/,
    ],
    ...['pg_read_file(text)', 'pg_ls_dir(text)', 'pg_promote', 'pg_reload_conf()'].map(
      (name) =>
        [
          `may call ${name}`,
          `GRANT EXECUTE ON FUNCTION ${name} TO bioprocess_reader`,
          /has the right EXECUTE on function pg_.* Run: REVOKE EXECUTE ON ROUTINE pg_catalog\.pg_.* FROM bioprocess_reader/,
        ] as const,
    ),
    [
      'may write to a large object',
      'GRANT UPDATE ON LARGE OBJECT 4711 TO PUBLIC',
      /REVOKE UPDATE ON LARGE OBJECT 4711 FROM PUBLIC/,
    ],
    [
      'may change the server',
      'GRANT ALTER SYSTEM ON PARAMETER work_mem TO bioprocess_reader',
      /has the right ALTER SYSTEM on parameter work_mem/,
    ],
    [
      'may call a function with the rights of another role',
      'CREATE FUNCTION public.f() RETURNS int LANGUAGE sql SECURITY DEFINER AS $$ SELECT 1 $$',
      /has the right EXECUTE on function public\.f\(\), which has the rights of its owner, .* FROM PUBLIC/,
    ],
    [
      'may call a function of PostgreSQL with the rights of another role',
      'ALTER FUNCTION lpad(text, int) SECURITY DEFINER',
      /has the right EXECUTE on function (pg_catalog\.)?lpad\(text,integer\), which has the rights of its owner, .* Run: REVOKE EXECUTE ON ROUTINE pg_catalog\.lpad\(.*\) FROM PUBLIC/,
    ],
  ])('refuses a role that %s, and changes nothing', async (_, grant, message) => {
    await inspecting()
    const undo = await undoing(grant)
    try {
      const before = await nextTransaction()
      const refused = String(await inspecting().catch((error: unknown) => error))
      expect(await nextTransaction()).toEqual(before)
      expect(refused).toMatch(message)
      expect(refused).toMatch(/GRANT SELECT ON "bioprocess".v_bioprocesses, /)
    } finally {
      await undo()
    }
    await inspecting()
  })

  /** Runs grants. @returns takes them away */
  async function undoing(grants: string): Promise<() => Promise<unknown>> {
    await sql(grants)
    return () =>
      sql(
        [
          'ALTER ROLE bioprocess_reader NOSUPERUSER INHERIT NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS',
          'ALTER DATABASE plant OWNER TO loader',
          `ALTER TABLE public.theirs OWNER TO ${superuser}`,
          'DROP FUNCTION IF EXISTS public.f()',
          'ALTER FUNCTION lpad(text, int) SECURITY INVOKER',
          'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
          'REVOKE CREATE ON DATABASE plant FROM bioprocess_reader',
          'REVOKE ALL ON public.theirs FROM bioprocess_reader, group_of_them, PUBLIC',
          'REVOKE DELETE ON bioprocess.v_quantities FROM bioprocess_reader',
          'REVOKE ALL ON SEQUENCE public.numbers FROM PUBLIC',
          'REVOKE ALL ON pg_authid FROM bioprocess_reader',
          'REVOKE ALL ON FUNCTION pg_read_file(text), pg_ls_dir(text), pg_promote, pg_reload_conf() FROM bioprocess_reader',
          'REVOKE ALL ON pg_shadow FROM PUBLIC',
          'REVOKE ALL (subconninfo) ON pg_subscription FROM bioprocess_reader',
          'REVOKE ALL ON LARGE OBJECT 4711 FROM PUBLIC',
          'REVOKE ALL ON PARAMETER work_mem FROM bioprocess_reader',
          `DO $$ DECLARE name text; BEGIN FOR name IN SELECT roleid::regrole FROM pg_auth_members WHERE member = 'bioprocess_reader'::regrole
             LOOP EXECUTE format('REVOKE %s FROM bioprocess_reader', name); END LOOP; END $$`,
        ].join('; '),
      )
  }

  test('accepts a role that may read more, and a function with the rights of its owner that the views call', async () => {
    await sql(
      `GRANT SELECT ON ALL TABLES IN SCHEMA public TO bioprocess_reader; GRANT SELECT ON LARGE OBJECT 4711 TO bioprocess_reader;
       CREATE FUNCTION public.theirs() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$ SELECT 'a' $$`,
    )
    await expect(starting()).rejects.toThrow(/function public\.theirs\(\)/)
    const [row] = await sql(`SELECT pg_get_viewdef('bioprocess.v_formulas') AS text`)
    const text = String(row!['text']).replace(/;$/, '')
    await sql(
      `CREATE OR REPLACE VIEW bioprocess.v_formulas AS SELECT * FROM (${text}) v WHERE public.theirs() = 'a'`,
    )
    await starting()
    await sql(`CREATE OR REPLACE VIEW bioprocess.v_formulas AS ${text}; DROP FUNCTION public.theirs()`)
  })

  test('refuses the owner of the tables', async () => {
    await expect(starting('loader')).rejects.toThrow(/^The role loader at .* owns .*, and may only read\./)
  })

  test('notices rights that change while it runs on the next connection, and connections are renewed', async () => {
    const log: string[] = []
    const engine = await createPostgresEngine({ url: database.readerUrl(), log: (line) => log.push(line) })
    const ask = () => rowsOf(engine, 'SELECT 1 AS one')
    const undo = await undoing('ALTER ROLE bioprocess_reader SUPERUSER')
    try {
      expect(await ask()).toEqual([{ one: 1 }])
      const now = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 301_000)
      await expect(ask()).rejects.toBeInstanceOf(EngineBusy)
      expect(log.at(-1)).toMatch(/is a superuser/)
    } finally {
      vi.restoreAllMocks()
      await undo()
    }
    await sleep(300)
    expect(await ask()).toEqual([{ one: 1 }])
    await engine.close()
  })

  test.each([
    [superuser, /is a superuser/],
    ['loader', /The role loader at .* owns /],
  ])('lets no load give the views to %s', async (reader, message) => {
    const loading = loadPlant(testPlant, {
      url: database.ownerUrl,
      schema: 'third',
      reader,
    })
    await expect(loading).rejects.toThrow(message)
    await inspecting()
  })

  test('takes a verifier of PostgreSQL in place of the password of a reader', async () => {
    const [row] = await sql(`SELECT rolpassword FROM pg_authid WHERE rolname = 'bioprocess_reader'`)
    const readerPassword = String(row!['rolpassword'])
    expect(readerPassword).toMatch(/^SCRAM-SHA-256\$/)
    const reader = 'second_reader'
    await loadPlant(testPlant, { url: database.ownerUrl, schema: 'second', reader, readerPassword })
    const engine = await createPostgresEngine({
      url: database.primary.url('second_reader', 'plant'),
      schema: 'second',
    })
    await engine.close()
  })

  test('can be a second lock, which an ordinary owner cannot set', async () => {
    const logged = async () => {
      const log: string[] = []
      const engine = await createPostgresEngine({ url: database.readerUrl(), log: (line) => log.push(line) })
      expect(await rowsOf(engine, 'SELECT count(*) > 0 AS some FROM v_quantities')).toEqual([{ some: true }])
      await engine.close()
      return log[0]
    }
    await database.primary.sql(secondLock, 'loader', 'plant')
    expect(await logged()).toMatch(
      /from temporary tables, from the catalogues, large objects, settings and locks\.$/,
    )
    await sql(secondLock)
    expect(await logged()).toMatch(/from temporary tables, from the catalogues\.$/)
    for (const call of [
      'pg_advisory_lock(1)',
      'pg_terminate_backend(0)',
      "ts_stat('SELECT 1')",
      'lo_create(0)',
    ])
      await expect(database.primary.sql(`SELECT ${call}`, 'bioprocess_reader', 'plant')).rejects.toThrow(
        /permission denied/,
      )
  })
})
