import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { SqlError } from '../../statement.ts'
import { Session } from '../../engine/session/session.ts'
import { fuzzing, mutated, readOnlySelect } from '../../engine/session/fuzz.test-helper.ts'
import { corpus } from '../../../tests/e2e/support/hostile/corpus.ts'
import { loadArtifacts } from './artifacts.ts'
import { checksums, isReader, jsonOf, smallSnapshot } from './plant.test-helper.ts'

const settings = "SELECT to_char(now(), 'OF'), 1.1::float8::text, '\\'::text"

let session: Session
let before: string

beforeAll(async () => {
  session = await Session.open(await smallSnapshot(), await loadArtifacts())
  before = await fingerprint()
})

const fingerprint = async () =>
  `${await jsonOf(session, settings)} ${await jsonOf(session, checksums)} ${await isReader(session)}`

/** Whether a statement is answered. Expects JSON, or an error of the database. */
async function answersCleanly(statement: string): Promise<boolean> {
  try {
    JSON.parse(`[${await jsonOf(session, statement)}]`)
    return true
  } catch (error) {
    expect(error, statement).toBeInstanceOf(SqlError)
    expect((error as SqlError).sqlState, statement).not.toBe('42501')
    return false
  }
}

test('every read-only SELECT is answered or fails with an SQL error, and none for a lack of rights', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(readOnlySelect, async (statement) => {
      if (await answersCleanly(statement)) answered += 1
    }),
    fuzzing,
  )
  expect(answered).toBeGreaterThan(fuzzing.numRuns / 5)
  expect(await fingerprint()).toBe(before)
})

test('no mutated statement writes, as a query or as a statement of any kind', async () => {
  const attacks = corpus.flatMap(({ kind, send }) =>
    'statement' in send && kind !== 'resource' ? [send.statement] : [],
  )
  let answered = 0
  await fc.assert(
    fc.asyncProperty(mutated(fc.oneof(readOnlySelect, fc.constantFrom(...attacks))), async (statement) => {
      const isAnswered = await jsonOf(session, statement).then(
        () => true,
        (error: unknown) => {
          expect(error, statement).toBeInstanceOf(SqlError)
          return false
        },
      )
      if (isAnswered) answered += 1
      if (!/\0|\p{Surrogate}/u.test(statement)) await session.attempt(statement)
      expect(await fingerprint(), statement).toBe(before)
    }),
    fuzzing,
  )
  expect(answered).toBeGreaterThan(0)
  expect(answered).toBeLessThan(fuzzing.numRuns)
})

test('no text breaks the engine', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'SELECT fromv_ quantis();\'"$/*-\\E0\0\ud800'), maxLength: 300 }),
  )
  await fc.assert(
    fc.asyncProperty(text, async (statement) => void (await answersCleanly(statement))),
    fuzzing,
  )
})
