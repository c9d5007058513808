import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import type { PostgresEngine } from '../../../mock/node/postgres/options.ts'
import { views } from '../../../schemas/views.ts'
import { describeWithPostgres, superuser, TestDatabase, testPassword } from '../support/postgres/index.ts'

/** Statements that name views in the scopes of SQL, and what they give: the rows of a view, or those of a WITH query. */
const scopes: readonly (readonly [statement: string, first: string | number])[] = [
  ['SELECT count(*) FROM v_quantities', 'view'],
  ['SELECT count(*) FROM "v_quantities"', 'view'],
  ['SELECT count(*) FROM U&"v\\005fquantities"', 'view'],
  ['SELECT count(*) FROM ONLY v_quantities', 'view'],
  ['SELECT count(*) FROM bioprocess.v_quantities, (VALUES (1)) one', 'view'],
  ['SELECT count(v_quantities.id) FROM v_quantities', 'view'],
  ['SELECT count(bioprocess.v_quantities.id) FROM v_quantities', 'view'],
  ['SELECT count(v_quantities) FROM v_quantities', 'view'],
  ['SELECT count(v_quantities.*) FROM v_quantities v_quantities', 'view'],
  ['SELECT count(*) FROM (TABLE v_quantities) AS t', 'view'],
  ["SELECT 'ä€😀' AS text, count(*) FROM v_quantities", 'ä€😀'],
  ['SELECT (SELECT count(*) FROM v_quantities)', 'view'],
  ['SELECT count(*) FROM v_quantities q WHERE EXISTS (SELECT FROM v_quantities WHERE id = q.id)', 'view'],
  ['SELECT count(*) FROM v_quantities q, LATERAL (SELECT 1 FROM v_quantities p WHERE p.id = q.id) s', 'view'],
  ['SELECT count(*) FROM v_quantities q JOIN v_quantities USING (id)', 'view'],
  ['SELECT count(*) FROM v_formulas v_quantities', 'formulas'],
  ['SELECT count(*) FROM (SELECT 1) v_quantities', 1],
  ['SELECT 0 AS n UNION ALL SELECT count(*) FROM v_quantities ORDER BY n DESC', 'view'],
  ['WITH v_quantities AS (SELECT 1) SELECT count(*) FROM v_quantities', 1],
  ['WITH v_quantities AS (SELECT 1) SELECT count(*) FROM v_quantities, bioprocess.v_formulas', 'formulas'],
  ['WITH v_quantities AS (SELECT 1) SELECT count(*) FROM bioprocess.v_quantities', 'view'],
  ['WITH v_quantities AS (SELECT * FROM v_quantities LIMIT 3) SELECT count(*) FROM v_quantities', 3],
  ['WITH a AS (SELECT * FROM v_quantities), v_quantities AS (SELECT 1) SELECT count(*) FROM a', 'view'],
  ['WITH v_quantities AS (SELECT 1), a AS (SELECT * FROM v_quantities) SELECT count(*) FROM a', 1],
  ['WITH RECURSIVE a AS (SELECT * FROM v_quantities), v_quantities AS (SELECT 1) SELECT count(*) FROM a', 1],
  [
    'WITH RECURSIVE v_quantities(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM v_quantities WHERE n < 5) SELECT count(*) FROM v_quantities',
    5,
  ],
  ['SELECT (WITH v_quantities AS (SELECT 1) SELECT count(*) FROM v_quantities) FROM v_quantities LIMIT 1', 1],
  [
    'SELECT count(*) FROM v_quantities, (WITH v_quantities AS (SELECT 1) SELECT * FROM v_quantities) s',
    'view',
  ],
  ['WITH v_quantities AS (SELECT 1) SELECT (SELECT (SELECT count(*) FROM v_quantities))', 1],
  [
    'WITH v_quantities AS (SELECT 1) (SELECT 1 FROM v_quantities) UNION ALL SELECT count(*) FROM v_quantities',
    1,
  ],
  ['WITH x AS (WITH v_quantities AS (SELECT 1) SELECT 1) SELECT count(*) FROM v_quantities, x', 'view'],
]

describeWithPostgres('names in a database in which others create', () => {
  let database: TestDatabase
  const sql = (text: string, role = superuser) => database.primary.sql(text, role, 'plant')
  let engine: PostgresEngine
  const values = async (statement: string) =>
    (await rowsOf(engine, statement)).map((row) => Object.values(row as object))

  beforeAll(async () => {
    database = await TestDatabase.start()
    await database.load()
    await sql(
      `CREATE ROLE planter LOGIN PASSWORD '${testPassword}'; GRANT CREATE ON SCHEMA public TO planter; ALTER DATABASE plant SET search_path = bioprocess, public`,
    )
    engine = await createPostgresEngine({ url: database.readerUrl() })
  })
  afterAll(async () => {
    await engine?.close()
    await database?.stop()
  })

  const starting = async (schema: string) =>
    (await createPostgresEngine({ url: database.readerUrl(), schema })).close()

  const planted = `$$ SELECT 'planted' $$`
  /** What an extension or another role may create, by its kind and its schema. */
  const plants: readonly (readonly [string, (schema: string) => string])[] = [
    [
      'function',
      (schema) => `CREATE FUNCTION ${schema}.round(bigint) RETURNS text LANGUAGE sql AS ${planted};
       CREATE FUNCTION ${schema}.length(varchar) RETURNS text LANGUAGE sql AS ${planted}`,
    ],
    [
      'operator',
      (
        schema,
      ) => `CREATE FUNCTION ${schema}.yes(text, varchar) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
       CREATE OPERATOR ${schema}.= (leftarg = text, rightarg = varchar, function = ${schema}.yes)`,
    ],
    [
      'type',
      (schema) => `CREATE TYPE ${schema}.mine AS ENUM ('a');
       CREATE FUNCTION ${schema}.cast_to_mine(text) RETURNS ${schema}.mine LANGUAGE sql AS $$ SELECT 'a'::${schema}.mine $$;
       CREATE CAST (text AS ${schema}.mine) WITH FUNCTION ${schema}.cast_to_mine(text) AS IMPLICIT;
       CREATE FUNCTION ${schema}.upper(${schema}.mine) RETURNS text LANGUAGE sql AS ${planted}`,
    ],
    ['domain', (schema) => `CREATE DOMAIN ${schema}.uuid AS text`],
    ['collation', (schema) => `CREATE COLLATION ${schema}.mine (locale = 'C')`],
    [
      'conversion',
      (schema) => `CREATE CONVERSION ${schema}.mine FOR 'UTF8' TO 'LATIN1' FROM utf8_to_iso8859_1`,
    ],
    [
      'text search configuration',
      (schema) => `CREATE TEXT SEARCH CONFIGURATION ${schema}.estonian (copy = simple)`,
    ],
    [
      'text search dictionary',
      (schema) => `CREATE TEXT SEARCH DICTIONARY ${schema}.estonian_stem (template = simple)`,
    ],
  ]
  const asked = `SELECT round(count(*)) AS a, length('abc'::varchar) AS b, count(*) FILTER (WHERE id = 'nothing'::varchar) AS c,
    upper(max(id)) AS d, '2f9b1b7e-0000-4000-8000-000000000000'::uuid AS e FROM v_experiments`

  test.each(plants)('a %s of another role in another schema has no effect', async (_, plant) => {
    const before = await values(asked)
    await sql(plant('public'), 'planter')
    expect(await values(asked)).toEqual(before)
    const other = await createPostgresEngine({ url: database.readerUrl() })
    await other.close()
  })

  test.each(plants)(
    'a %s in the schema of the views refuses the start, with the SQL that helps',
    async (_, plant) => {
      await sql(`CREATE SCHEMA crowded; GRANT USAGE ON SCHEMA crowded TO bioprocess_reader`)
      for (const { name } of views)
        await sql(
          `CREATE VIEW crowded.${name} AS SELECT * FROM bioprocess.${name}; GRANT SELECT ON crowded.${name} TO bioprocess_reader`,
        )
      try {
        await starting('crowded')
        await sql(plant('crowded'))
        await expect(starting('crowded')).rejects.toThrow(
          /The schema crowded at .* has more than views: .* ALTER VIEW crowded\.v_quantities SET SCHEMA bioprocess;/,
        )
        await sql('CREATE SCHEMA moved; GRANT USAGE ON SCHEMA moved TO bioprocess_reader')
        for (const { name } of views) await sql(`ALTER VIEW crowded.${name} SET SCHEMA moved`)
        await starting('moved')
      } finally {
        await sql('DROP SCHEMA IF EXISTS crowded, moved CASCADE')
      }
    },
  )

  test('a role that may create in the schema of the views refuses the start and the next connection', async () => {
    await sql('GRANT CREATE ON SCHEMA bioprocess TO planter')
    const refused = String(
      await createPostgresEngine({ url: database.readerUrl() }).catch((error: unknown) => error),
    )
    expect(refused).toMatch(/Others may create functions in the schema bioprocess at/)
    await sql(/Run: ([^;]*)/.exec(refused)![1]!)
    await (await createPostgresEngine({ url: database.readerUrl() })).close()
  })

  /** What a superuser may add to PostgreSQL's own, and the SQL that helps. */
  const additions: readonly (readonly [string, string, string])[] = [
    [
      'cast',
      'CREATE CAST (int AS text) WITH FUNCTION added.it(int) AS IMPLICIT',
      'DROP CAST (integer AS pg_catalog.text)',
    ],
    [
      'type that another is taken for',
      `CREATE TYPE added.t; CREATE FUNCTION added.reads(cstring) RETURNS added.t LANGUAGE internal IMMUTABLE STRICT AS 'textin';
       CREATE FUNCTION added.prints(added.t) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
       CREATE TYPE added.t (input = added.reads, output = added.prints, like = text); CREATE CAST (json AS added.t) WITHOUT FUNCTION AS IMPLICIT`,
      'DROP CAST (pg_catalog.json AS added.t)',
    ],
    [
      'function of the name of another',
      `CREATE FUNCTION pg_catalog.upper(varchar) RETURNS text LANGUAGE sql AS ${planted}`,
      'DROP FUNCTION pg_catalog.upper(character varying)',
    ],
    [
      'function of a new name',
      `CREATE FUNCTION pg_catalog.casefold_of(text) RETURNS text LANGUAGE sql AS ${planted}`,
      'DROP FUNCTION pg_catalog.casefold_of(pg_catalog.text)',
    ],
    [
      'function of an extension of the name of a type',
      `CREATE FUNCTION pg_catalog.uuid(text) RETURNS text LANGUAGE sql AS ${planted}; ALTER EXTENSION theirs ADD FUNCTION pg_catalog.uuid(text)`,
      'DROP EXTENSION theirs',
    ],
    [
      'operator',
      'CREATE OPERATOR pg_catalog.### (leftarg = int, rightarg = int, function = int4eq)',
      'DROP OPERATOR pg_catalog.###(integer,integer)',
    ],
    [
      'order of a type',
      `CREATE OPERATOR added.< (leftarg = json, rightarg = json, function = added.less); CREATE OPERATOR added.= (leftarg = json, rightarg = json, function = added.less);
       CREATE OPERATOR CLASS added.json_ops DEFAULT FOR TYPE json USING btree AS OPERATOR 1 added.<, OPERATOR 3 added.=, FUNCTION 1 added.compare(json, json)`,
      'DROP OPERATOR CLASS added.json_ops USING btree',
    ],
    [
      'hash of a type',
      `CREATE OPERATOR added.= (leftarg = json, rightarg = json, function = added.less);
       CREATE OPERATOR CLASS added.json_ops DEFAULT FOR TYPE json USING hash AS OPERATOR 1 added.=, FUNCTION 1 added.hash(json)`,
      'DROP OPERATOR CLASS added.json_ops USING hash',
    ],
    [
      'operator of an order',
      `CREATE OPERATOR added.= (leftarg = int, rightarg = oid, function = added.same);
       ALTER OPERATOR FAMILY integer_ops USING btree ADD OPERATOR 3 added.= (int, oid)`,
      'ALTER OPERATOR FAMILY pg_catalog.integer_ops USING btree DROP OPERATOR 3 (integer, pg_catalog.oid)',
    ],
    [
      'distance of an order',
      'ALTER OPERATOR FAMILY datetime_ops USING btree ADD FUNCTION 3 (timestamptz, time) added.in_range(timestamptz, timestamptz, time, boolean, boolean)',
      'ALTER OPERATOR FAMILY pg_catalog.datetime_ops USING btree DROP FUNCTION 3 (timestamp with time zone, time without time zone)',
    ],
  ]

  /** Functions of a superuser, of which a statement would run some: their text is not PostgreSQL's. */
  const addSql = `CREATE SCHEMA added; CREATE FUNCTION added.it(int) RETURNS text LANGUAGE sql AS ${planted};
    CREATE FUNCTION added.less(json, json) RETURNS boolean LANGUAGE sql AS 'SELECT true';
    CREATE FUNCTION added.compare(json, json) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 0';
    CREATE FUNCTION added.same(int, oid) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
    CREATE FUNCTION added.hash(json) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 0';
    CREATE FUNCTION added.in_range(timestamptz, timestamptz, time, boolean, boolean) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'`

  /** PostgreSQL keeps an extension that it has not installed as an entry of the catalogue. */
  const extensionSql = `SET allow_system_table_mods = on;
    INSERT INTO pg_extension SELECT 99999, 'theirs', extowner, extnamespace, true, '1', NULL, NULL FROM pg_extension LIMIT 1`

  test.each(additions)(
    'a %s that a superuser adds to PostgreSQL refuses the start, with the SQL that helps',
    async (_, add, remedy) => {
      await sql(addSql)
      try {
        await sql(`SET allow_system_table_mods = on; ${extensionSql}; ${add}`)
        const refused = String(await starting('bioprocess').catch((error: unknown) => error))
        expect(refused).toMatch(
          /The database at .* changes what PostgreSQL means: .*\. Run: .*; or use another database\./,
        )
        const run = /Run: ([^;]*);/.exec(refused)![1]!
        // versions name the schema of a type or not
        expect(run.replaceAll('pg_catalog.', '')).toBe(remedy.replaceAll('pg_catalog.', ''))
        await sql(run)
        await starting('bioprocess')
      } finally {
        await sql(remedy).catch(() => {})
        await sql('DROP SCHEMA IF EXISTS added CASCADE; DROP EXTENSION IF EXISTS theirs')
      }
    },
  )

  const addOfExtension = (name: string) =>
    `CREATE FUNCTION pg_catalog.${name} RETURNS text LANGUAGE sql IMMUTABLE AS ${planted}; ALTER EXTENSION theirs ADD FUNCTION pg_catalog.${name}`

  test('a function that an extension puts beside those of PostgreSQL cannot be called', async () => {
    // the second name is one of PostgreSQL 18
    const [major] = await sql(`SELECT current_setting('server_version_num')::int / 10000 AS of`)
    const names = ['theirs_reads(text)', ...(Number(major!['of']) < 18 ? ['casefold(text)'] : [])]
    await sql([extensionSql, ...names.map(addOfExtension)].join('; '))
    const other = await createPostgresEngine({ url: database.readerUrl() })
    try {
      for (const name of names)
        await expect(rowsOf(other, `SELECT ${name.replace('text', "'A'")} AS a`)).rejects.toThrow(
          /permission denied for function|does not exist/,
        )
    } finally {
      await other.close()
      await sql('DROP EXTENSION theirs')
    }
  })

  test('a database whose encoding is not UTF-8 refuses the start', async () => {
    await sql(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`)
    const url = database.readerUrl().replace(/plant$/, 'latin')
    await database.primary.sql(
      'CREATE SCHEMA bioprocess; GRANT USAGE ON SCHEMA bioprocess TO PUBLIC',
      superuser,
      'latin',
    )
    for (const { name } of views)
      await database.primary.sql(
        `CREATE VIEW bioprocess.${name} AS SELECT 1 AS id; GRANT SELECT ON bioprocess.${name} TO PUBLIC`,
        superuser,
        'latin',
      )
    await expect(createPostgresEngine({ url })).rejects.toThrow(
      /has the encoding LATIN1.* Use a database with the encoding UTF8/,
    )
  })

  test('says which schema has the views if the default one has none', async () => {
    await sql('CREATE DATABASE older TEMPLATE template0')
    const older = (text: string) => database.primary.sql(text, superuser, 'older')
    for (const { name } of views) await older(`CREATE VIEW public.${name} AS SELECT 1 AS id`)
    const url = database.readerUrl().replace(/plant$/, 'older')
    await expect(createPostgresEngine({ url })).rejects.toThrow(
      'The schema public has such views: --schema public.',
    )
  })

  test('a cast between types of PostgreSQL is nothing that another role can create', async () => {
    await sql(`CREATE FUNCTION public.cast_of(varchar) RETURNS int LANGUAGE sql AS 'SELECT 1'`, 'planter')
    const casting = sql('CREATE CAST (varchar AS int) WITH FUNCTION public.cast_of(varchar)', 'planter')
    await expect(casting).rejects.toThrow(/must be owner of type/)
  })

  test('temporary tables of a session that a pooler shares have no effect', async () => {
    const pooler = await database.pooler(1)
    const shared = await createPostgresEngine({ url: database.readerUrl(pooler), connections: 1 })
    const count = () => rowsOf(shared, 'SELECT count(*) > 0 AS some FROM v_quantities')
    await pooler.sql(
      `START TRANSACTION READ WRITE; CREATE TEMPORARY TABLE v_quantities AS SELECT 1 AS id; CREATE TEMPORARY TABLE pg_class (x int); COMMIT`,
      'bioprocess_reader',
      'plant',
    )
    expect(await count()).toEqual([{ some: true }])
    expect(await rowsOf(shared, 'SELECT id FROM v_quantities WHERE length(id) > 1 LIMIT 1')).toHaveLength(1)
    await shared.close()
  })

  test.each(scopes)('%s reads what SQL says', async (statement, expected) => {
    const [[rows], [formulas]] = [
      await sql('SELECT count(*)::int AS n FROM bioprocess.v_quantities'),
      await sql('SELECT count(*)::int AS n FROM bioprocess.v_formulas'),
    ]
    const meant = expected === 'view' ? rows!['n'] : expected === 'formulas' ? formulas!['n'] : expected
    expect((await values(statement))[0]![0]).toEqual(meant)
  })

  test('messages name a view as the client wrote it', async () => {
    await sql(`ALTER VIEW bioprocess.v_formulas RENAME TO v_hidden`)
    try {
      const failing = (statement: string) => rowsOf(engine, statement).catch((error: unknown) => error)
      expect(await failing('SELECT * FROM v_formulas')).toMatchObject({
        message: 'relation "v_formulas" does not exist',
        relation: 'v_formulas',
      })
      expect(await failing('SELECT * FROM bioprocess.v_formulas')).toMatchObject({
        message: 'relation "bioprocess.v_formulas" does not exist',
      })
      expect(await failing('SELECT * FROM v_nope')).toMatchObject({
        message: 'relation "v_nope" does not exist',
      })
      expect(await failing('SELECT upper(v_quantities) FROM v_quantities')).toMatchObject({
        message: 'function upper(v_quantities) does not exist',
      })
    } finally {
      await sql(`ALTER VIEW bioprocess.v_hidden RENAME TO v_formulas`)
    }
  })

  test('a further column of a view has the name of its view before it, or none', async () => {
    const [row] = await sql(`SELECT pg_get_viewdef('bioprocess.v_experiments'::regclass) AS text`)
    const text = String(row!['text']).replace(/;$/, '')
    await sql(`CREATE OR REPLACE VIEW bioprocess.v_experiments AS SELECT *, 'Basel' AS site FROM (${text}) v`)
    const own = await createPostgresEngine({ url: database.readerUrl(database.primary) })
    const basel = [{ site: 'Basel' }]
    expect(await rowsOf(own, 'SELECT site FROM v_experiments LIMIT 1')).toEqual(basel)
    expect(await rowsOf(own, 'SELECT e.site FROM v_experiments e LIMIT 1')).toEqual(basel)
    await expect(rowsOf(own, 'SELECT e.city FROM v_experiments e')).rejects.toThrow(
      'column e.city does not exist',
    )
    await own.close()
  })

  test('a schema whose name needs quotes is read too', async () => {
    const schema = 'Labor "1"'
    const quoted = '"Labor ""1"""'
    await sql(
      [
        `CREATE SCHEMA ${quoted}`,
        ...views.map(({ name }) => `CREATE VIEW ${quoted}.${name} AS SELECT * FROM bioprocess.${name}`),
        `GRANT USAGE ON SCHEMA ${quoted} TO bioprocess_reader`,
        `GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted} TO bioprocess_reader`,
      ].join('; '),
    )
    const own = await createPostgresEngine({ url: database.readerUrl(), schema })
    expect(await rowsOf(own, 'SELECT v_quantities.id FROM v_quantities LIMIT 1')).toHaveLength(1)
    await own.close()
  })
})
