import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { views } from '../../../schemas/index.ts'
import { SqlError, StatementRefused } from '../../statement.ts'
import { Session } from '../../engine/session.ts'
import { buildSnapshot } from '../../engine/snapshot/build.ts'
import { admit, loadParser } from '../../gate/gate.ts'
import { fuzzing, mutated, readOnlySelect } from '../../gate/fuzz.test-helper.ts'
import { corpus } from '../../hostile/corpus.test-helper.ts'
import { loadArtifacts } from './artifacts.ts'
import { smallPlant } from './plant.test-helper.ts'

const checksums = views
  .map(({ name }) => `SELECT md5(string_agg(v::text, '' ORDER BY v::text)) AS sum FROM ${name} v`)
  .join(' UNION ALL ')
const settings = "SELECT current_user, session_user, to_char(now(), 'OF'), 1.1::float8::text, '\\'::text"

let session: Session
let before: string

beforeAll(async () => {
  await loadParser()
  const artifacts = await loadArtifacts()
  session = await Session.open(await buildSnapshot(smallPlant(100), artifacts), artifacts)
  before = await fingerprint()
})

async function run(statement: string): Promise<string> {
  let text = ''
  for await (const { chunks } of session.run(statement)) {
    for (const chunk of chunks) text += new TextDecoder().decode(chunk)
  }
  return text
}
const fingerprint = async () => (await run(settings)) + (await run(checksums))

/** The gate's answer; anything it throws but a refusal is a crash. */
function isAdmitted(statement: string): boolean {
  try {
    admit(statement)
    return true
  } catch (error) {
    expect(error, statement).toBeInstanceOf(StatementRefused)
    return false
  }
}

/** Answered with JSON, or failed with the database's own error. */
async function answersCleanly(statement: string): Promise<boolean> {
  try {
    JSON.parse(`[${await run(statement)}]`)
    return true
  } catch (error) {
    expect(error, statement).toBeInstanceOf(SqlError)
    expect((error as SqlError).sqlState, statement).not.toBe('42501')
    return false
  }
}

test('admits every read-only SELECT, which is then answered or fails cleanly', async () => {
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

test('lets no mutated text write, with the gate and without it', async () => {
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

test('crashes on no text whatever', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'SELECT fromv_ quantis();\'"$/*-\\E0\0\ud800'), maxLength: 300 }),
  )
  fc.assert(
    fc.property(text, (statement) => void isAdmitted(statement)),
    { ...fuzzing, numRuns: fuzzing.numRuns * 10 },
  )
})
