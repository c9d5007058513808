import { afterAll, beforeAll, expect, test } from 'vitest'
import { runConformance } from '../../conformance/index.ts'
import { mutants } from './mutants/index.ts'
import { createReference, type Reference } from '../../mock/index.ts'

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ seed: 1, scale: 0.01, workers: 1 })
})
afterAll(() => reference.close())

/** The results of the search, against the reference or a mutant of it. */
async function search(fuzz: number, mutant?: string) {
  const { baseUrl, token } = reference
  const wrap = mutants.find(({ id }) => id === mutant)?.wrap ?? ((own: typeof fetch) => own)
  const report = await runConformance({
    baseUrl,
    token,
    fetch: wrap(reference.fetch),
    only: ['search.*'],
    fuzz,
  })
  return report.checks
}

test('--fuzz without --seeded judges generated statements by the rows of the target', async () => {
  const checks = await search(40)
  expect(checks.map(({ outcome }) => outcome)).toEqual(checks.map(() => 'pass'))
  const statements = checks.map(({ message }) => Number(/^(\d+) statements/.exec(message)![1]))
  expect(statements.reduce((a, b) => a + b)).toBeGreaterThan(60)
})

test('a difference is shrunk to the smallest statement, with the exchanges that show both sides', async () => {
  const [failed] = (await search(20, 'join-inner')).filter(({ outcome }) => outcome === 'fail')
  expect(failed!.id).toBe('search.join')
  expect(failed!.message).toMatch(/smallest: `SELECT \w\.\w+ FROM v_\w+ l LEFT JOIN v_\w+ r ON [\w.= ]+`/)
  expect(failed!.message).toMatch(/Repeat with --fuzz 20$/)
  expect(failed!.curls!.length).toBeGreaterThan(2)
  expect(failed!.actual).not.toMatch(/[1-9a-f]{20}/)
})
