import { beforeAll, expect, test } from 'vitest'
import { admit, loadParser } from './gate.ts'
import { volatileFunctionNames } from './generated/allowed-functions.ts'
import { isRepeatable } from './repeatable.ts'

beforeAll(loadParser)

const repeats = (statement: string) => isRepeatable(admit(statement)[0]!.select)

test.each([
  'SELECT * FROM v_experiments',
  "SELECT id FROM v_bioprocesses WHERE last_updated_at > '2025-01-01' AND name LIKE 'x%' LIMIT 5",
  "SELECT timestamptz '2025-01-01' - interval '1 day'",
  'SELECT v_experiments.id AS now FROM v_experiments',
])('repeatable: %s', (statement) => expect(repeats(statement)).toBe(true))

test.each([
  'SELECT now()',
  'SELECT U&"n!006fw" UESCAPE \'!\' () AS t',
  "SELECT timestamptz 'no'\n'w' AS t",
  "SELECT ('no'||'w')::timestamptz AS t",
  "SELECT (chr(110)||'ow')::timestamptz AS t",
  "SELECT timestamptz('no'||'w')",
  "SELECT ('[no'||'w,]')::tstzrange",
  "SELECT x::date FROM (SELECT 'to'||'day' AS x) s",
  `SELECT * FROM json_to_recordset('[{"t":"n\\u006fw"}]') AS r(t timestamptz)`,
  "SELECT ARRAY['no'||'w']::timestamptz[]",
  `SELECT json_value('{"t":"n\\u006fw"}', '$.t' RETURNING timestamptz)`,
  'SELECT U&"rand!006fm" UESCAPE \'!\'() AS t',
  'SELECT U&"gen_rand!006fm_!0075uid" UESCAPE \'!\'() AS t',
  `SELECT id FROM v_bioprocesses WHERE last_updated_at > 'yesterday'`,
  "SELECT id FROM v_bioprocesses WHERE last_updated_at > U&'n\\006fw'",
  'SELECT CURRENT_DATE',
  'SELECT LOCALTIMESTAMP(2)',
  'SELECT age(run_start) FROM v_bioprocesses',
  'SELECT pg_catalog.statement_timestamp()',
  ...volatileFunctionNames.map((name) => `SELECT ${name}()`),
])('not repeatable: %s', (statement) => expect(repeats(statement)).toBe(false))
