import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import { views } from '../../../schemas/views.ts'
import { describeWithPostgres, superuser, TestDatabase } from '../support/postgres/index.ts'

const looksUp = (type: string) =>
  new RegExp(
    `^The column typed\\.v_quantities\\.own at .* has the type ${type}, in which a statement could look up other names than those of the views\\. Cast it in the view: own::text\\.$`,
  )

describeWithPostgres('the type of a column', () => {
  let database: TestDatabase
  const sql = (text: string, role = superuser) => database.primary.sql(text, role, 'plant')
  const starting = () => createPostgresEngine({ url: database.readerUrl(), schema: 'typed' })

  beforeAll(async () => {
    database = await TestDatabase.start()
    await database.load()
    await sql(`CREATE ROLE planter; CREATE SCHEMA ext; GRANT ALL ON SCHEMA ext TO planter, loader`)
  })
  afterAll(() => database?.stop())

  /** Gives `v_quantities` a column of a value, in views of `loader`. @returns what a start says, and its rows otherwise */
  async function using(create: string, value: string): Promise<unknown> {
    await sql(`CREATE SCHEMA typed AUTHORIZATION loader; ${create}`)
    try {
      for (const { name } of views) {
        const own = name === 'v_quantities' ? `, ${value} AS own` : ''
        await sql(
          `CREATE VIEW typed.${name} AS SELECT *${own} FROM bioprocess.${name}; ALTER VIEW typed.${name} OWNER TO loader`,
        )
      }
      await sql(
        'GRANT USAGE ON SCHEMA typed TO bioprocess_reader; GRANT SELECT ON ALL TABLES IN SCHEMA typed TO bioprocess_reader',
      )
      const refused = String(
        await starting().then(
          (engine) => engine.close(),
          (error: Error) => error.message,
        ),
      )
      const remedy = /Run: ([^;]*);/.exec(refused)?.[1]
      if (remedy) await sql(remedy)
      if (refused !== 'undefined' && !remedy) return refused
      const engine = await starting()
      const rows = await rowsOf(engine, 'SELECT own FROM v_quantities WHERE own::text IS NOT NULL LIMIT 1')
      await engine.close()
      return remedy ? refused : rows
    } finally {
      await sql(`DROP SCHEMA typed CASCADE; DROP OWNED BY planter CASCADE; DROP SCHEMA ext CASCADE; DROP TYPE IF EXISTS pg_catalog.mood;
        CREATE SCHEMA ext; GRANT ALL ON SCHEMA ext TO planter, loader`)
    }
  }

  test.each([
    ['a composite type', 'CREATE TYPE ext.t AS (a int, r regrole)', 'NULL::ext.t', 'ext\\.t'],
    ['an array of a composite type', 'CREATE TYPE ext.t AS (a int)', 'NULL::ext.t[]', 'ext\\.t'],
    [
      'a domain over a composite type',
      'CREATE TYPE ext.t AS (r regrole); CREATE DOMAIN ext.d AS ext.t',
      'NULL::ext.d',
      'ext\\.t',
    ],
    ['a row of a table', 'CREATE TABLE ext.t (a int)', 'NULL::ext.t', 'ext\\.t'],
    ['a row of a catalogue', '', 'NULL::pg_am', 'pg_am'],
    ['a range', 'CREATE TYPE ext.t AS RANGE (subtype = regclass)', 'NULL::ext.t', 'ext\\.t'],
    [
      'a multirange',
      'CREATE TYPE ext.t AS RANGE (subtype = regclass, multirange_type_name = ext.m)',
      'NULL::ext.m',
      'ext\\.m',
    ],
    ['a domain over a list of roles', 'CREATE DOMAIN ext.d AS regrole[]', 'NULL::ext.d', 'regrole(\\[\\])?'],
    ['a list of a domain over a role', 'CREATE DOMAIN ext.d AS regrole', 'NULL::ext.d[]', 'regrole'],
    ['a relation', '', "'pg_am'::regclass", 'regclass'],
    ['a list of rights', '', 'NULL::aclitem[]', 'aclitem(\\[\\])?'],
  ])('refuses the start if it is %s', async (_, create, value, type) => {
    expect(await using(create, value)).toMatch(looksUp(type))
  })

  test.each([
    ['an enum', "CREATE TYPE ext.t AS ENUM ('a'); ALTER TYPE ext.t OWNER TO planter", "'a'::ext.t"],
    [
      'a list of an enum',
      "CREATE TYPE ext.t AS ENUM ('a'); ALTER TYPE ext.t OWNER TO planter",
      "'{a}'::ext.t[]",
    ],
    ['a domain', 'CREATE DOMAIN ext.t AS text; ALTER DOMAIN ext.t OWNER TO planter', "'a'::ext.t"],
  ])('refuses the start if it is %s of another role than the owner of the view', async (_, create, value) => {
    expect(await using(create, value)).toMatch(
      /^The column typed\.v_quantities\.own at .* has the type ext\.t of the role planter, which can add casts and conditions that run in statements\. Run: ALTER TYPE ext\.t OWNER TO loader; or cast it in the view: own::text\.$/,
    )
  })

  test.each([
    [
      'an enum of the owner',
      "CREATE TYPE ext.t AS ENUM ('a'); ALTER TYPE ext.t OWNER TO loader",
      "'a'::ext.t",
      'a',
    ],
    ['a domain of a superuser', "CREATE DOMAIN ext.t AS text CHECK (value <> '')", "'a'::ext.t", 'a'],
    ['a list of domains', 'CREATE DOMAIN ext.t AS int', "'{1}'::ext.t[]", '{1}'],
    [
      'a type of a superuser',
      `CREATE TYPE ext.t; CREATE FUNCTION ext.reads(cstring) RETURNS ext.t LANGUAGE internal IMMUTABLE STRICT AS 'textin';
       CREATE FUNCTION ext.prints(ext.t) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
       CREATE TYPE ext.t (input = ext.reads, output = ext.prints, like = text)`,
      "'a'::ext.t",
      'a',
    ],
    [
      'an enum beside the types of PostgreSQL',
      "SET allow_system_table_mods = on; CREATE TYPE pg_catalog.mood AS ENUM ('a')",
      "'a'::mood",
      'a',
    ],
    ['a range of PostgreSQL', '', "'[1,2)'::int4range", '[1,2)'],
  ])('may be %s', async (_, create, value, own) => {
    expect(await using(create, value)).toEqual([{ own }])
  })
})
