import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { views } from '../../../schemas/views.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { jsonOf, smallSnapshot } from '../../node/pglite/plant.test-helper.ts'
import { SqlError } from '../../statement.ts'
import { Session } from '../session/session.ts'
import { namingTypes, typeSamples, valueOf, withoutText } from '../session/type-samples.test-helper.ts'
import { snapshotOptions } from './artifacts.ts'
import { SnapshotFs } from './snapshot-fs.ts'

let session: Session
let owner: PGlite

beforeAll(async () => {
  const artifacts = await loadArtifacts()
  const snapshot = await smallSnapshot()
  session = await Session.open(snapshot, artifacts)
  owner = await PGlite.create({ ...snapshotOptions(artifacts), fs: new SnapshotFs(snapshot, artifacts) })
})
afterAll(() => owner.close())

/** The values of the first column of a query of the owner. */
const list = async (sql: string): Promise<string[]> =>
  (await owner.query<unknown[]>(sql, [], { rowMode: 'array' })).rows.map(([value]) => String(value))

const rows = async (sql: string) => (await owner.query<string[]>(sql, [], { rowMode: 'array' })).rows

/** The message of a statement that fails; undefined if it is answered. */
const failure = (statement: string): Promise<string | undefined> =>
  jsonOf(session, statement).then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof SqlError)) throw error
      return error.message
    },
  )

/** The statements that a right stops. */
async function denied(statements: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const statement of statements) {
    const message = await failure(statement)
    if (message?.startsWith('permission denied')) found.push(`${statement}: ${message}`)
  }
  return found
}

/** The name of a type, as SQL. */
const nameOf = (of: string) => `(SELECT typname FROM pg_type WHERE oid = ${of})`

const mayExecute = `has_function_privilege('reader', p.oid, 'EXECUTE')`

describe('the rights of a statement', () => {
  test('are SELECT on the nine views, and no other right on any object', async () => {
    const readable = `SELECT c.oid::regclass::text FROM pg_class c
      WHERE has_table_privilege('reader', c.oid, 'SELECT') OR has_any_column_privilege('reader', c.oid, 'SELECT') ORDER BY 1`
    expect(await list(readable)).toEqual(views.map(({ name }) => name).toSorted())
    const writable = `SELECT c.oid::regclass FROM pg_class c
      WHERE has_table_privilege('reader', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER, MAINTAIN')
        OR has_any_column_privilege('reader', c.oid, 'INSERT, UPDATE, REFERENCES')`
    expect(await list(writable)).toEqual([])
    expect(
      await list(`SELECT nspname FROM pg_namespace WHERE has_schema_privilege('reader', oid, 'CREATE')`),
    ).toEqual([])
    expect(
      await list(
        `SELECT datname FROM pg_database WHERE has_database_privilege('reader', oid, 'CREATE, TEMP, CONNECT')`,
      ),
    ).toEqual([])
    expect(
      await list(
        `SELECT lanname FROM pg_language WHERE lanpltrusted AND has_language_privilege('reader', oid, 'USAGE')`,
      ),
    ).toEqual([])
    expect(
      await list(
        `SELECT rolname FROM pg_roles WHERE rolname LIKE 'reader%' OR rolname = 'sessions'
         AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls OR rolcanlogin) ORDER BY 1`,
      ),
    ).toEqual(['reader', 'readers'])
  })

  test('let it call no volatile function but those that only tell of the clock, chance or their arguments', async () => {
    expect(
      await list(
        `SELECT DISTINCT proname FROM pg_proc p WHERE ${mayExecute} AND provolatile = 'v' ORDER BY 1`,
      ),
    ).toEqual(
      `array_sample array_shuffle clock_timestamp gen_random_uuid pg_sleep pg_sleep_for random random_normal
       timeofday uuidv4 uuidv7`.split(/\s+/),
    )
  })

  test('let it call no function with the rights of its owner, and none of another schema', async () => {
    expect(
      await list(
        `SELECT oid::regprocedure FROM pg_proc p WHERE ${mayExecute} AND (prosecdef OR pronamespace <> 'pg_catalog'::regnamespace)`,
      ),
    ).toEqual([])
  })

  test('let it call no function that tells of the server, unless PostgreSQL calls it for a type', async () => {
    const families = `SELECT p.oid::regprocedure FROM pg_proc p WHERE ${mayExecute}
      AND proname ~ '^(pg_|lo_|txid_|has_|to_reg|inet_(client|server)|current_|session_|binary_upgrade_|fmgr_|ts_stat|query_|.*_to_xml)'
      AND p.oid NOT IN (SELECT unnest(ARRAY[typinput::oid, typoutput]) FROM pg_type)
      AND p.oid NOT IN (SELECT oprcode FROM pg_operator) AND p.oid NOT IN (SELECT amproc FROM pg_amproc)`
    expect((await list(families)).toSorted()).toEqual([
      'pg_collation_for("any")',
      'pg_column_size("any")',
      // for min and max
      'pg_lsn_larger(pg_lsn,pg_lsn)',
      'pg_lsn_smaller(pg_lsn,pg_lsn)',
      'pg_size_bytes(text)',
      'pg_size_pretty(bigint)',
      'pg_size_pretty(numeric)',
      'pg_sleep(double precision)',
      'pg_sleep_for(interval)',
      'pg_typeof("any")',
    ])
  })

  test('let it call no function that takes an object of the server, unless PostgreSQL calls it, or it searches texts', async () => {
    const taking = `SELECT DISTINCT proname FROM pg_proc p WHERE ${mayExecute} AND prokind <> 'a'
      AND proargtypes::oid[] && (SELECT array_agg(oid) FROM pg_type WHERE typname ~ '^_?(oid|xid|reg|aclitem)')
      AND p.oid NOT IN (SELECT unnest(ARRAY[typinput::oid, typoutput]) FROM pg_type) AND p.oid NOT IN (SELECT oprcode FROM pg_operator)
      AND p.oid NOT IN (SELECT castfunc FROM pg_cast) AND p.oid NOT IN (SELECT amproc FROM pg_amproc)
      AND p.oid NOT IN (SELECT unnest(ARRAY[aggtransfn::oid, aggfinalfn]) FROM pg_aggregate) ORDER BY 1`
    // a configuration or a dictionary is one of PostgreSQL's own here, and only turns a text into words
    expect(await list(taking)).toEqual(
      `json_to_tsvector jsonb_to_tsvector phraseto_tsquery plainto_tsquery to_tsquery to_tsvector ts_headline ts_lexize
       websearch_to_tsquery`.split(/\s+/),
    )
  })

  test('let it call no function of the binary protocol, whose values hold the numbers of types', async () => {
    const binary = `SELECT p.oid::regprocedure FROM pg_proc p WHERE ${mayExecute}
      AND (p.oid IN (SELECT unnest(ARRAY[typsend::oid, typreceive]) FROM pg_type) OR proname IN ('enum_send', 'enum_recv'))`
    expect(await list(binary)).toEqual([])
    expect(await denied(['SELECT array_send(ARRAY[1])', 'SELECT record_send(ROW(1))'])).toHaveLength(2)
  })
})

describe('a statement cannot learn a name from a number', () => {
  const id = '(SELECT 16384 + i FROM generate_series(0, 0) i)'
  const ways = namingTypes.flatMap((type) => [
    `SELECT '16384'::${type}`,
    `SELECT ('163' || '84')::${type}`,
    `SELECT CAST(x AS ${type}) FROM (VALUES ('16384'::varchar), ('1')) t (x)`,
    `SELECT ${type} '16384'`,
    `SELECT ${type}('16384')`,
    `SELECT ${type}in('16384')`,
    `SELECT ${id}::${type}::text`,
    `SELECT ${id}::oid::${type}::text`,
    `SELECT ${id}::int8::${type}::text`,
    `SELECT ${id}::int2::${type}::text`,
    `SELECT pg_typeof(1)::oid::${type}`,
    `SELECT ARRAY[16384]::${type}[]`,
    `SELECT ARRAY[16384::oid]::${type}[]::text`,
    `SELECT '{16384}'::${type}[]`,
    `SELECT * FROM json_to_record('{"a": 16384}') AS x(a ${type})`,
    `SELECT * FROM jsonb_to_recordset('[{"a": ["16384"]}]') AS x(a ${type}[])`,
    `SELECT JSON_VALUE('16384', '$' RETURNING ${type} ERROR ON ERROR)`,
    `SELECT * FROM XMLTABLE('/a' PASSING '<a>16384</a>' COLUMNS b ${type} PATH '.')`,
  ])

  test.each([
    ...ways,
    'SELECT coalesce(pg_typeof(1), 16384)',
    "SELECT coalesce(pg_typeof(1), '16384')",
    'SELECT CASE WHEN false THEN pg_typeof(1) ELSE 16384 END',
    "SELECT regtypeout('16384')",
    'SELECT regtypeout(16384::oid)',
    "SELECT '(1,1,16384,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)'::pg_aggregate",
    `SELECT jsonb_populate_record(NULL::pg_aggregate, '{"aggfnoid": 16384}')`,
    `SELECT jsonb_populate_record(NULL::pg_prepared_statements, '{"parameter_types": [16384]}')`,
    `SELECT jsonb_populate_record(NULL::pg_class, '{"relacl": ["postgres=r/postgres"]}')`,
    "SELECT domain_in('x', 16384, -1)",
    "SELECT enum_in('x', 16384)",
    "SELECT array_in('{x}', 16384, -1)",
    "SELECT range_in('x', 16384, -1)",
    "SELECT multirange_in('x', 16384, -1)",
    "SELECT record_in('(x)', 16384, -1)",
    'SELECT format_type(16384, -1)',
  ])('%s', async (statement) => {
    expect(await failure(statement)).toMatch(
      /^(?:permission denied for (?:type|function)|cannot cast type|function \S+ does not exist|(?:COALESCE|CASE\/WHEN) could not convert)/,
    )
  })

  test('but pg_typeof tells the type of a value', async () => {
    expect(
      await jsonOf(
        session,
        'SELECT pg_typeof(1) AS a, pg_typeof(v)::text AS b FROM v_formulas v RIGHT JOIN (SELECT 1) x ON true',
      ),
    ).toBe('{"a":"integer","b":"v_formulas"}')
  })
})

describe('a statement may', () => {
  test('read, cast, compare, fold, aggregate and print the values of every type', async () => {
    const types = await list(
      `SELECT typname FROM pg_type WHERE typtype IN ('b', 'r', 'm') AND typelem = 0 AND typnamespace = 'pg_catalog'::regnamespace
       UNION SELECT unnest('{box,point,lseg,line,name,int2vector,oidvector}'::text[]) ORDER BY 1`,
    )
    expect(types.filter((type) => !withoutText.includes(type))).toEqual(Object.keys(typeSamples).toSorted())
    for (const [type, text] of Object.entries(typeSamples)) {
      const cast = `pg_catalog."${type}"`
      const of = `FROM (SELECT '${text}'::${cast} AS x) t`
      for (const statement of [
        `SELECT x, x::text AS text, ARRAY[x] AS list ${of}`,
        `SELECT ('${text}' || '')::${cast} AS x`,
        `SELECT ARRAY[x]::text::${cast}[] AS x ${of}`,
        `SELECT count(x) AS n, string_agg(x::text, ',') AS s, json_agg(x) AS j ${of}`,
      ])
        expect(await failure(statement), statement).toBeUndefined()
      expect(
        await denied([
          `SELECT array_agg(x) ${of}`,
          `SELECT x ${of} WHERE x = ('${text}' || '')::${cast}`,
          `SELECT x ${of} WHERE x < ('${text}' || '')::${cast} OR ARRAY[x] = ARRAY[x]::text::${cast}[]`,
          `SELECT x ${of} WHERE x IN ('${text}', ('${text}' || '')::${cast}) AND x BETWEEN x AND ('${text}' || '')::${cast}`,
          `SELECT x, count(*) ${of} GROUP BY x HAVING max(x) = ('${text}' || '')::${cast}`,
          `SELECT DISTINCT x ${of} UNION SELECT ('${text}' || '')::${cast}`,
          `SELECT min(x), max(x), rank() OVER (ORDER BY x) ${of} GROUP BY x ORDER BY x`,
          `SELECT (x, 1) = (x, 1), greatest(x, x), nullif(x, x), x IS DISTINCT FROM x ${of}`,
        ]),
      ).toEqual([])
    }
  })

  test('use every operator, cast and aggregate with values that it can write', async () => {
    const operators = await rows(
      `SELECT oprname, ${nameOf('oprleft')}, ${nameOf('oprright')} FROM pg_operator WHERE oprcode <> 0`,
    )
    const casts = (await rows(`SELECT ${nameOf('castsource')}, ${nameOf('casttarget')} FROM pg_cast`)).filter(
      ([, target]) => !namingTypes.includes(target!),
    )
    const aggregates = await rows(
      `SELECT aggfnoid::regproc::text, (SELECT json_agg(${nameOf('t')})::text FROM unnest(proargtypes) t), aggkind::text
       FROM pg_aggregate JOIN pg_proc ON pg_proc.oid = aggfnoid`,
    )
    const statements = [
      ...operators.map(([name, left, right]) => {
        const [a, b] = [left === null ? '' : valueOf(left!), valueOf(right!)]
        return a === undefined || b === undefined
          ? undefined
          : `SELECT ${a} OPERATOR(pg_catalog.${name}) ${b}`
      }),
      ...casts.map(([source, target]) => {
        const value = valueOf(source!)
        return value && `SELECT (${value})::pg_catalog."${target}"`
      }),
      ...aggregates.map(([name, types, kind]) => {
        const values = (JSON.parse(types ?? '[]') as string[]).map(valueOf)
        if (values.includes(undefined)) return undefined
        if (kind === 'n') return `SELECT ${name}(${values.length === 0 ? '*' : values.join(', ')})`
        return `SELECT ${name}(${values.slice(0, -1).join(', ')}) WITHIN GROUP (ORDER BY ${values.at(-1)})`
      }),
    ].filter((statement) => statement !== undefined)
    expect(statements.length).toBeGreaterThan(1_100)
    expect(await denied(statements)).toEqual([])
  })

  test('search texts by each configuration', async () => {
    const configurations = await list('SELECT cfgname FROM pg_ts_config')
    expect(configurations.length).toBeGreaterThan(25)
    for (const name of configurations)
      expect(
        await failure(
          `SELECT to_tsvector('${name}', 'ä cats'), websearch_to_tsquery('${name}', 'cats'), '${name}'::regconfig, ts_headline('${name}', 'the cats', phraseto_tsquery('${name}', 'the cats'))`,
        ),
        name,
      ).toBeUndefined()
  })

  test('call each function of the rule, which does not break the engine', async () => {
    const functions = await rows(
      `SELECT p.oid::regproc::text, (SELECT json_agg((SELECT typname FROM pg_type WHERE oid = t))::text FROM unnest(proargtypes) t)
       FROM pg_proc p WHERE ${mayExecute} AND prokind = 'f' AND proname NOT LIKE 'pg_sleep%'`,
    )
    let called = 0
    for (const [name, types] of functions) {
      const values = (JSON.parse(types ?? '[]') as string[]).map(valueOf)
      if (values.includes(undefined)) continue
      called++
      await failure(`SELECT ${name}(${values.join(', ')})`)
      await failure(`SELECT ${name}(${values.map(() => 'NULL').join(', ')})`)
    }
    expect(called).toBeGreaterThan(1_800)
    expect(await jsonOf(session, 'SELECT count(*) FROM v_quantities')).toBe('{"count":3}')
  })
})
