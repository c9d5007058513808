import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../mock/node/postgres/index.ts'
import type { PostgresEngine } from '../../mock/node/postgres/options.ts'
import { views } from '../../schemas/views.ts'
import { describeWithPostgres, superuser, TestDatabase } from '../support/postgres/index.ts'

/** Statements that name views in the scopes of SQL, and what they give: the rows of a view, or those of a WITH query. */
const scopes: readonly (readonly [statement: string, first: string | number])[] = [
  ['SELECT count(*) FROM v_quantities', 'view'],
  ['SELECT count(*) FROM "v_quantities"', 'view'],
  ['SELECT count(*) FROM U&"v\\005fquantities"', 'view'],
  ['SELECT count(*) FROM ONLY v_quantities', 'view'],
  ['SELECT count(*) FROM public.v_quantities, (VALUES (1)) one', 'view'],
  ['SELECT count(v_quantities.id) FROM v_quantities', 'view'],
  ['SELECT count(public.v_quantities.id) FROM v_quantities', 'view'],
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
  ['WITH v_quantities AS (SELECT 1) SELECT count(*) FROM v_quantities, public.v_formulas', 'formulas'],
  ['WITH v_quantities AS (SELECT 1) SELECT count(*) FROM public.v_quantities', 'view'],
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
      `CREATE ROLE planter LOGIN PASSWORD 'a secret of the tests'; GRANT CREATE ON SCHEMA public TO planter`,
    )
    engine = await createPostgresEngine({ url: database.readerUrl() })
  })
  afterAll(async () => {
    await engine?.close()
    await database?.stop()
  })

  const planted = `$$ SELECT 'planted' $$`
  test.each([
    [
      'functions',
      `CREATE FUNCTION public.round(bigint) RETURNS text LANGUAGE sql AS ${planted};
       CREATE FUNCTION public.length(varchar) RETURNS text LANGUAGE sql AS ${planted}`,
      `SELECT round(count(*)) AS a, length('abc'::varchar) AS b FROM v_experiments`,
    ],
    [
      'operators',
      `CREATE FUNCTION public.yes(text, varchar) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
       CREATE OPERATOR public.= (leftarg = text, rightarg = varchar, function = public.yes)`,
      `SELECT count(*) FROM v_experiments WHERE id = 'nothing'::varchar`,
    ],
    [
      'casts of a type of their own',
      `CREATE TYPE public.mine AS ENUM ('a');
       CREATE FUNCTION public.cast_to_mine(text) RETURNS public.mine LANGUAGE sql AS $$ SELECT 'a'::public.mine $$;
       CREATE CAST (text AS public.mine) WITH FUNCTION public.cast_to_mine(text) AS IMPLICIT;
       CREATE FUNCTION public.upper(public.mine) RETURNS text LANGUAGE sql AS ${planted}`,
      `SELECT upper(id) FROM v_experiments ORDER BY id`,
    ],
    [
      'types, domains and relations with names of the catalogue',
      `CREATE DOMAIN public.uuid AS text; CREATE TYPE public.jsonb AS ENUM ('x'); CREATE TABLE public.pg_class (x int)`,
      `SELECT '{"a": 1}'::jsonb AS a, '2f9b1b7e-0000-4000-8000-000000000000'::uuid AS b`,
    ],
  ])('%s of another role have no effect', async (_, plant, statement) => {
    const before = await values(statement)
    await sql(plant, 'planter')
    expect(await values(statement)).toEqual(before)
    const other = await createPostgresEngine({ url: database.readerUrl() })
    await other.close()
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
      await sql('SELECT count(*)::int AS n FROM v_quantities'),
      await sql('SELECT count(*)::int AS n FROM v_formulas'),
    ]
    const meant = expected === 'view' ? rows!['n'] : expected === 'formulas' ? formulas!['n'] : expected
    expect((await values(statement))[0]![0]).toEqual(meant)
  })

  test('messages name a view as the client wrote it', async () => {
    await sql(`ALTER VIEW public.v_formulas RENAME TO v_hidden`)
    try {
      const failing = (statement: string) => rowsOf(engine, statement).catch((error: unknown) => error)
      expect(await failing('SELECT * FROM v_formulas')).toMatchObject({
        message: 'relation "v_formulas" does not exist',
        relation: 'v_formulas',
      })
      expect(await failing('SELECT * FROM public.v_formulas')).toMatchObject({
        message: 'relation "public.v_formulas" does not exist',
      })
      expect(await failing('SELECT * FROM v_nope')).toMatchObject({
        message: 'relation "v_nope" does not exist',
      })
      expect(await failing('SELECT upper(v_quantities) FROM v_quantities')).toMatchObject({
        message: 'function upper(v_quantities) does not exist',
      })
    } finally {
      await sql(`ALTER VIEW public.v_hidden RENAME TO v_formulas`)
    }
  })

  test('a further column of a view has the name of its view before it, or none', async () => {
    const [row] = await sql(`SELECT pg_get_viewdef('v_experiments'::regclass) AS text`)
    const text = String(row!['text']).replace(/;$/, '')
    await sql(`CREATE OR REPLACE VIEW v_experiments AS SELECT *, 'Basel' AS site FROM (${text}) v`)
    const own = await createPostgresEngine({ url: database.readerUrl(database.primary) })
    const basel = [{ site: 'Basel' }]
    expect(await rowsOf(own, 'SELECT site FROM v_experiments LIMIT 1')).toEqual(basel)
    expect(await rowsOf(own, 'SELECT e.site FROM v_experiments e LIMIT 1')).toEqual(basel)
    await expect(rowsOf(own, 'SELECT e.city FROM v_experiments e')).rejects.toThrow(
      'column "city" does not exist',
    )
    await own.close()
  })

  test('a schema whose name needs quotes is read too', async () => {
    const schema = 'Labor "1"'
    const quoted = '"Labor ""1"""'
    await sql(
      [
        `CREATE SCHEMA ${quoted}`,
        ...views.map(({ name }) => `CREATE VIEW ${quoted}.${name} AS SELECT * FROM public.${name}`),
        `GRANT USAGE ON SCHEMA ${quoted} TO bioprocess_reader`,
        `GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted} TO bioprocess_reader`,
      ].join('; '),
    )
    const own = await createPostgresEngine({ url: database.readerUrl(), schema })
    expect(await rowsOf(own, 'SELECT v_quantities.id FROM v_quantities LIMIT 1')).toHaveLength(1)
    await own.close()
  })
})
