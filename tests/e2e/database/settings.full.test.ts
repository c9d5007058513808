import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { preamble } from '../../../mock/node/postgres/statement/preamble.ts'
import { describeWithPostgres, installations, superuser, TestDatabase } from '../support/postgres/index.ts'

/** Values that PostgreSQL prints or reads by its settings. */
const values = String.raw`'2025-01-02 03:04:05+00'::timestamptz::text, ('02/03/0' || 4)::date::text, '1 day 02:00'::interval::text,
  (0.1::float8 + 0.2)::text, (1 / 3.0::float4)::text, '\x00ff'::bytea::text, to_json('\x01'::bytea)::text, row('a b', 1.5::float8)::text,
  xmlelement(name a, '\x00ff'::bytea)::text, xmlforest('\x01'::bytea AS b)::text, ('<a/>' || '<b/>')::xml::text, 1234.5::money::text,
  to_char(1234567.8, 'L9G999G999D9'), to_char('2025-03-01'::date, 'TMMonth TMDay'), ('{NULL' || ',a}')::text[]::text, quote_ident('abc'),
  format('%I %L', 'a', E'b\\c'), to_tsvector('The cats ran')::text, (NULL = NULL)::text, 'a\b', ('2025-01-01 EST' || '')::timestamptz::text,
  ('a' < 'B')::text, upper('ä'), make_interval(days => 3)::text, to_json('2025-01-02 03:04:05+00'::timestamptz)::text`

/** Other values of settings that are texts. Settings that name objects, files, roles or the client have none. */
const texts: Readonly<Record<string, readonly string[]>> = {
  DateStyle: ['SQL, DMY', 'German'],
  TimeZone: ['Asia/Tokyo'],
  default_text_search_config: ['simple'],
  lc_messages: ['C.UTF-8'],
  lc_monetary: ['C.UTF-8'],
  lc_numeric: ['C.UTF-8'],
  lc_time: ['C.UTF-8'],
  search_path: ['public'],
  timezone_abbreviations: ['Australia', 'India'],
}

interface Setting {
  readonly name: string
  readonly vartype: string
  readonly setting: string
  readonly enumvals: readonly string[] | null
  readonly min_val: string
  readonly max_val: string
}

const othersOf = ({ name, vartype, setting, enumvals, min_val, max_val }: Setting): readonly string[] => {
  if (vartype === 'bool') return [setting === 'on' ? 'off' : 'on']
  if (vartype === 'enum') return enumvals!.filter((value) => value !== setting)
  return vartype === 'string' ? (texts[name] ?? []) : [min_val, max_val]
}

describeWithPostgres('the settings of a role or a database', () => {
  const databases: TestDatabase[] = []
  beforeAll(async () => {
    for (const installation of installations()) databases.push(await TestDatabase.start([], installation))
  })
  afterAll(async () => {
    for (const database of databases) await database.stop()
  })

  test('change no value that a statement gives', async () => {
    for (const { primary } of databases) {
      const connect = async () => {
        const client = new pg.Client({ connectionString: primary.url(superuser, 'plant') })
        client.on('error', () => {})
        await client.connect()
        return client
      }
      let client = await connect()
      const ask = async (begin: string): Promise<unknown> => {
        try {
          await client.query(begin)
          return (await client.query<{ all: string[] }>(`SELECT ARRAY[${values}] AS all`)).rows[0]!.all
        } catch (error) {
          return (error as Error).message
        } finally {
          await client.query('ROLLBACK').catch(() => {})
        }
      }
      const ours = preamble({ timeLimitMs: 30_000, readerLimitMs: 30_000 })
      const [expected, plain] = [await ask(ours), await ask('BEGIN')]
      expect(expected).toBeInstanceOf(Array)
      const settings = (await primary.sql(
        `SELECT * FROM pg_settings WHERE context IN ('user', 'superuser') ORDER BY name`,
      )) as unknown as readonly Setting[]
      const changing = new Set<string>()
      for (const setting of settings)
        for (const value of othersOf(setting)) {
          const set = client.query(`SELECT set_config($1, $2, false)`, [setting.name, value])
          if (!(await set.catch(() => undefined))) continue
          expect(await ask(ours), `${setting.name} = ${value}`).toEqual(expected)
          if (JSON.stringify(await ask('BEGIN')) !== JSON.stringify(plain)) changing.add(setting.name)
          await client.query('RESET ALL').catch(async () => {
            await client.end().catch(() => {})
            client = await connect()
          })
        }
      await client.end()
      expect([...changing]).toEqual(
        `DateStyle IntervalStyle TimeZone array_nulls bytea_output default_text_search_config extra_float_digits
         quote_all_identifiers standard_conforming_strings timezone_abbreviations transform_null_equals xmlbinary xmloption`.split(
          /\s+/,
        ),
      )
    }
  })
})
