import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type SettingId, type Settings, settingVariants } from '../../schemas/open-points.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { views } from '../../schemas/views.ts'
import { createApp } from '../app/app.ts'
import { answerError } from '../app/answer/outcome.ts'
import { expiredToken } from '../app/answer/token-refused.ts'
import { body, endpoint, headers, pages, post, rows } from '../app/request.test-helper.ts'
import { oid, rowBody } from '../engine/result/fields.test-helper.ts'
import { RowWriter } from '../engine/result/row-writer.ts'
import { rowFormat } from '../engine/result/row-format.ts'
import { createViewIn } from '../engine/views/overlay-sql.ts'
import { explainDenial } from '../engine/session/refusals.ts'
import { viewChanges } from '../engine/views/views.ts'
import {
  type Column,
  type ExecuteOptions,
  SqlError,
  StatementRefused,
  StatementTimeout,
} from '../statement.ts'
import { readStatements } from '../syntax/reading.ts'
import { defaultSettings } from './settings.ts'
import { acceptedSql } from './sql/accept.ts'
import { deltaZone } from './delta/zone.ts'

const settingIds = Object.keys(settingVariants) as SettingId[]

test.each(settingIds)('%s is implemented in the file of its path, which exports nothing else', async (id) => {
  const file = new URL(`./${id.replace('.', '/')}.ts`, import.meta.url)
  expect(existsSync(file)).toBe(true)
  const exported = Object.values((await import(file.href)) as Record<string, unknown>)
  expect(exported).toHaveLength(1)
  const read: string[] = []
  const settings = new Proxy(defaultSettings, {
    get: (target, name: string) => (read.push(name), target[name as SettingId]),
  })
  ;(exported[0] as (settings: Settings) => unknown)(settings)
  expect(read).toEqual([id])
})

test.each(settingIds)('the server behaves differently under each variant of %s', async (id) => {
  const seen = new Map<string, string>()
  for (const variant of settingVariants[id]) {
    const behaviour = await observe({ ...defaultSettings, [id]: variant })
    const file = `mock/open-points/${id.replace('.', '/')}.ts`
    expect(seen.get(behaviour), `${file} serves ${variant} like another variant`).toBeUndefined()
    seen.set(behaviour, variant)
  }
})

test('the server behaves the same each time under the default settings', async () => {
  expect(await observe({ ...defaultSettings })).toBe(await observe(defaultSettings))
})

const scope = { schema: 'public', role: 'reader', own: new Set<ViewName>() }
const denial = () => new SqlError('other', 'permission denied for view v_formula_results', '42501')

/** Everything that settings can change without a database, as a text. */
async function observe(settings: Settings): Promise<string> {
  const observed = [
    writtenRows(settings),
    ...(await Promise.all(texts.map((text) => readStatements(text, settings).then(JSON.stringify, String)))),
    String(acceptedSql(settings).answersWrites),
    ...views.flatMap(({ name }) => createViewIn(scope, name, viewChanges(settings))),
    JSON.stringify(answerError(explainDenial(denial(), settings), settings)),
    deltaZone(settings).sessionZone,
    JSON.stringify(answerError(expiredToken(), settings), (_, value) =>
      value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
    ),
    ...(await answers(settings)),
  ]
  return observed.join('\n')
}

const columns: Column[] = [
  { name: 'id', type: oid.text, source: 't' },
  { name: 'id', type: oid.text, source: 'b' },
  { name: 'molar_mass', type: oid.numeric, source: 't' },
  { name: 'value', type: oid.float8, source: 't' },
  { name: 'last_updated_at', type: oid.timestamptz, source: 't' },
  { name: 'qc', type: oid.jsonb, source: 't' },
]

/** Rows with a repeated name, a missing value, a number that is not finite, a timestamp and JSON. */
function writtenRows(settings: Settings): string {
  const format = rowFormat(settings)
  const rename = format.keyCase?.(() => new Map([['qc', 'Qc']]))
  const named = columns.map((column) => (rename ? { ...column, name: rename(column.name) } : column))
  let json = ''
  try {
    const writer = new RowWriter(named, format, true, (chunk) => (json += new TextDecoder().decode(chunk)))
    for (let n = 0; n < 50; n++) {
      const row = rowBody([`t${n}`, `b${n}`, '12', 'NaN', '2025-01-02 03:04:05.120456+00', '{"a": 1}'])
      writer.row(row, 0)
    }
    const row = rowBody(['t', 'b', null, '1', '2025-01-02 03:04:05+00', 'null'])
    writer.row(row, 0)
    writer.flush()
    return json
  } catch (error) {
    return String(error)
  }
}

const filter = (literal: string) => `SELECT id FROM v_quantities WHERE last_updated_at > ${literal}`

const texts = [
  '',
  'SELECT id FROM v_quantities;',
  'SELECT count(*) FROM v_quantities',
  'SELECT id FROM v_quantities ORDER BY id',
  'SELECT 1; SELECT 2',
  'DELETE FROM v_quantities',
  "SELECT id FROM v_quantities WHERE name = 'a'",
  filter("'2025-01-01'"),
  filter("'2025-01-01T00:00:00Z'"),
  filter("'2025-01-01 00:00:00'"),
  filter("DATE '2025-01-01'"),
  filter("TIMESTAMP '2025-01-01 00:00:00'"),
  'SELECT * FROM v_formula_results',
]

const longName = 'v'.repeat(70)
const view = 'v_formula_results'

/** What becomes of a statement, by its text. */
const outcomes: Readonly<Record<string, () => ReturnType<typeof rows> | Error>> = {
  'SELECT 1': () => rows('{"n":1}'),
  'SELECT 2': () => pages(...Array.from({ length: 1001 }, (_, n) => `${n === 0 ? '' : ','}{"n":${n}}`)),
  'SELECT none': () => rows(''),
  SELEC: () => new SqlError('syntax', 'syntax error at or near "SELEC"', '42601'),
  [`SELECT * FROM ${longName}`]: () =>
    new SqlError('unknown-relation', 'unknown', '42P01', longName.slice(0, 63)),
  'SELECT broken': () => new SqlError('other', 'column "broken" does not exist', '42703'),
  'SELECT f()': () => new StatementRefused('other', 'The function f is not accepted.', '0A000'),
  'SELECT denied': () => new StatementRefused('other', `permission denied for view ${view}`, '42501', view),
  '': () => new SqlError('empty', 'The text is empty. Send exactly one statement.', '42601'),
  'SELECT pg_sleep(60)': () => new StatementTimeout(1),
}

const tooLong = body('x'.repeat((1 << 20) + 1))

/** The answers of an application to good and bad requests, over an engine that only knows {@link outcomes}. */
async function answers(settings: Settings): Promise<string[]> {
  const limits: (Pick<ExecuteOptions, 'limitShiftMs' | 'runsOn'> | undefined)[] = []
  const engine = {
    execute: async (statement: string, { limitShiftMs, runsOn }: ExecuteOptions) => {
      limits.push({ limitShiftMs, runsOn })
      const outcome = outcomes[statement]?.() ?? rows('')
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    close: async () => {},
  }
  const { fetch } = createApp({ engine: () => engine, tokens: ['a', 'b'], settings })
  const token = { authorization: 'Bearer a' }
  const requests = [
    ...Object.keys(outcomes).map((statement) => post({ headers: token, body: body(statement) })),
    post({ headers: token, body: tooLong }),
    post({ headers: token, body: '{' }),
    post({ headers: token, body: '{}' }),
    post({ headers: token, body: '{"statement":"SELECT 1","more":1}' }),
    post({ headers: { ...token, 'content-type': 'text/plain' } }),
    post({ headers: { authorization: '' } }),
    post({ headers: { authorization: 'Bearer wrong' } }),
    post({ headers: token }, endpoint.slice(0, -1)),
    post({ headers: token }, endpoint.replace('/v1/', '/v2/')),
    new Request('http://localhost/_mock/token', { method: 'POST', headers }),
    // more than a token is good for, and more than the rate allows
    ...Array.from({ length: 52 }, () => post({ headers: { authorization: 'Bearer b' } })),
  ]
  const seen: string[] = []
  for (const request of requests) {
    const response = await fetch(request)
    const text = response.type === 'error' ? 'reset' : await response.text()
    seen.push(`${response.status} ${JSON.stringify([...response.headers])} ${text}`)
  }
  return [...seen, JSON.stringify(limits)]
}
