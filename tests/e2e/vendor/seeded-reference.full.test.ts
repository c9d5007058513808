import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { mutants } from '../../proof/mutants/index.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import { validators } from '../../../schemas/index.ts'

const [seed, scale] = [1, 0.01]
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ seed, scale, workers: 2 })
})
afterAll(() => reference.close())

/** Compares the reference or a mutant of it with the reference. */
async function judge(only: string[], { fuzz = 0, mutant = '' } = {}) {
  const { wrap } = mutants.find(({ id }) => id === mutant) ?? { wrap: (fetch: Reference['fetch']) => fetch }
  const report = await runConformance({
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: wrap(reference.fetch),
    seeded: { reference: { ...reference, seed, scale }, fuzz },
    only,
  })
  expect(validators.report(report), JSON.stringify(validators.report.errors)).toBe(true)
  expect(report.options.seeded).toEqual({ seed, scale, fuzz })
  return report.checks
}

test('the deprecated option oracle is accepted in the place of reference', async () => {
  const { baseUrl, token, fetch } = reference
  const oracle = { ...reference, seed, scale }
  const report = await runConformance({
    baseUrl,
    token,
    fetch,
    seeded: { oracle },
    only: ['seeded.loaded'],
  })
  expect(report.checks).toMatchObject([{ id: 'seeded.loaded', outcome: 'pass' }])
})

describe('a target with the rows of the plant', { timeout: 240_000 }, () => {
  test('fails the requirement with the smallest statement, a curl command and both answers', async () => {
    const checks = await judge(['seeded.join', 'seeded.fuzz*'], { fuzz: 100, mutant: 'join-inner' })
    const failed = checks.filter(({ outcome }) => outcome !== 'pass')
    expect(failed.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'seeded.join fail',
      'seeded.fuzz:join fail',
    ])
    for (const result of failed) {
      const { message, expected, actual, curl, requirement } = result
      expect(requirement).toBe('REQ-JOIN-1')
      expect(message).toMatch(/`SELECT l\.\w+ FROM \w+ l LEFT JOIN \w+ r ON [lr]\.\w+ = [lr]\.\w+`/)
      expect(message).toContain('Repeat with --seeded --seed 1 --scale 0.01')
      expect([expected, actual]).toEqual([
        expect.stringMatching(/^\d+ rows/),
        expect.stringMatching(/^\d+ rows?/),
      ])
      expect(curl).toContain(message.match(/`(SELECT .*?)`/)![1])
    }
  })
})
