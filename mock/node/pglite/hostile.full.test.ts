import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SqlError } from '../../statement.ts'
import { Session } from '../../engine/session/session.ts'
import { selfTest } from '../../engine/session/self-test.ts'
import { corpus } from '../../../tests/e2e/support/hostile/corpus.ts'
import { loadArtifacts } from './artifacts.ts'
import { checksums, isReader, jsonOf, smallSnapshot } from './plant.test-helper.ts'

const settings = `
  SELECT to_char(now(), 'OF') AS zone, 1.23456789012345678::float8 AS float,
    DATE '2025-01-02'::text AS date, interval '1 day'::text AS span, '\\'::text AS backslash,
    '\\x41'::bytea::text AS bytes, to_char(1234.5, 'L9G999D9') AS money`

/** The statements of the corpus without those that exhaust memory or time, which need a thread of their own. */
const attacks = corpus.flatMap(({ kind, send, must }) =>
  'statement' in send && kind !== 'resource' ? [{ statement: send.statement, must }] : [],
)

let session: Session

beforeAll(async () => {
  session = await Session.open(await smallSnapshot(), await loadArtifacts())
})
const inSession = (statement: string) => jsonOf(session, statement)

const fingerprint = async () => [
  await inSession(settings),
  await inSession(checksums),
  await isReader(session),
]

describe('the attacks of the corpus', () => {
  let before: unknown[]
  beforeAll(async () => {
    before = await fingerprint()
    expect(before[2]).toBe(true)
  })
  afterAll(() => selfTest(session))

  test('change no data, settings or rights', async () => {
    for (const { statement, must } of attacks) {
      const error = await inSession(statement).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (error !== undefined) expect(error, statement).toBeInstanceOf(SqlError)
      expect(error === undefined ? 'success' : 'error', statement).toBe(must.state)
      expect(await fingerprint(), statement).toEqual(before)
    }
  })

  test('change no data, settings or rights as statements of any kind, because of the rights of the reader', async () => {
    for (const { statement } of attacks) {
      // PGlite cannot send these characters
      if (/\0|\p{Surrogate}/u.test(statement)) continue
      await session.attempt(statement)
      expect(await fingerprint(), statement).toEqual(before)
    }
  })
})

test('the reader may cast constants', async () => {
  const casts = [
    "SELECT 1::text, 1.5::text, 'a' || 1 || true || 2.5, 1.5::float8::text AS text",
    "SELECT '{\"a\":1}'::text::jsonb::text, '[]'::json::text, '$.a'::jsonpath::text AS json",
    "SELECT time '1:00'::text, now()::text, '\\x41'::bytea::text, B'1'::text, '[1,2]'::text::int4range::text",
    "SELECT * FROM JSON_TABLE('{\"a\": 1}', '$' COLUMNS (a int PATH '$.a'))",
  ]
  for (const statement of casts) expect(await inSession(statement), statement).toMatch(/^\{/)
})

test('the self-test fails if a forbidden statement is executed', async () => {
  const permissive = {
    attempt: async (statement: string) => (statement.includes('lo_create') ? undefined : '42501'),
  }
  await expect(selfTest(permissive as unknown as Session)).rejects.toThrow(
    'The engine refuses to serve: "SELECT lo_create(0)" was not denied (success).',
  )
})
