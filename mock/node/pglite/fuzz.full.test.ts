import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { SqlError, StatementRefused } from '../../statement.ts'
import { Session } from '../../engine/session/session.ts'
import { buildSnapshot } from '../../engine/snapshot/build.ts'
import { admit, loadParser } from '../../gate/gate.ts'
import { fuzzing, mutated, readOnlySelect } from '../../gate/fuzz.test-helper.ts'
import { corpus } from '../../../e2e/support/hostile/corpus.ts'
import { loadArtifacts } from './artifacts.ts'
import { checksums, isReader, jsonOf, smallPlant } from './plant.test-helper.ts'

const settings = "SELECT to_char(now(), 'OF'), 1.1::float8::text, '\\'::text"

let session: Session
let before: string

beforeAll(async () => {
  await loadParser()
  const artifacts = await loadArtifacts()
  session = await Session.open(await buildSnapshot(smallPlant(100), artifacts), artifacts)
  before = await fingerprint()
})

const fingerprint = async () =>
  `${await jsonOf(session, settings)} ${await jsonOf(session, checksums)} ${await isReader(session)}`

/** Whether the gate admits a statement. Expects no error but a refusal. */
function isAdmitted(statement: string): boolean {
  try {
    admit(statement)
    return true
  } catch (error) {
    expect(error, statement).toBeInstanceOf(StatementRefused)
    return false
  }
}

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

test('the gate admits every read-only SELECT, which is then answered or fails with an SQL error', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(readOnlySelect, async (statement) => {
      expect(isAdmitted(statement), statement).toBe(true)
      if (await answersCleanly(statement)) answered += 1
    }),
    fuzzing,
  )
  expect(answered).toBeGreaterThan(fuzzing.numRuns / 5)
  expect(await fingerprint()).toBe(before)
})

test('no mutated statement writes, with the gate and without it', async () => {
  const attacks = corpus.flatMap(({ kind, send }) =>
    'statement' in send && kind !== 'resource' ? [send.statement] : [],
  )
  let admitted = 0
  await fc.assert(
    fc.asyncProperty(mutated(fc.oneof(readOnlySelect, fc.constantFrom(...attacks))), async (statement) => {
      if (isAdmitted(statement)) {
        admitted += 1
        await answersCleanly(statement)
      } else if (!/\0|\p{Surrogate}/u.test(statement)) await session.attempt(statement)
      expect(await fingerprint(), statement).toBe(before)
    }),
    fuzzing,
  )
  expect(admitted).toBeGreaterThan(0)
  expect(admitted).toBeLessThan(fuzzing.numRuns)
})

test('the gate crashes on no text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'SELECT fromv_ quantis();\'"$/*-\\E0\0\ud800'), maxLength: 300 }),
  )
  fc.assert(
    fc.property(text, (statement) => void isAdmitted(statement)),
    { ...fuzzing, numRuns: fuzzing.numRuns * 10 },
  )
})
