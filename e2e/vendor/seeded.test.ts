import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../../conformance/index.ts'
import { mutants } from '../../conformance/mutants/index.ts'
import { corpus } from '../../conformance/seeded/corpus/index.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { validators } from '../../schemas/index.ts'
import { ask } from '../support/ask.ts'

const seed = 1
let reference: Reference
let larger: Reference

beforeAll(async () => {
  reference = await createReference({ seed, scale: 0.01, workers: 2 })
  larger = await createReference({ seed, scale: 0.1, workers: 1 })
})
afterAll(() => Promise.all([reference.close(), larger.close()]))

/** Compares the reference with itself, or with the reference of a larger plant. */
async function judge(only: string[], { fuzz = 0, mutant = '', scale = 0.01, variant = '' } = {}) {
  const { wrap } = mutants.find(({ id }) => id === mutant) ?? { wrap: (fetch: Reference['fetch']) => fetch }
  const report = await runConformance({
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: wrap(reference.fetch),
    headers: variant ? { 'X-Mock-Variant': variant } : {},
    seeded: { reference: { ...(scale === 0.01 ? reference : larger), seed, scale }, fuzz },
    only,
  })
  expect(validators.report(report), JSON.stringify(validators.report.errors)).toBe(true)
  expect(report.options.seeded).toEqual({ seed, scale, fuzz })
  return report.checks
}

test('the deprecated option oracle is accepted in the place of reference', async () => {
  const { baseUrl, token, fetch } = reference
  const oracle = { ...reference, seed, scale: 0.01 }
  const report = await runConformance({
    baseUrl,
    token,
    fetch,
    seeded: { oracle },
    only: ['seeded.loaded'],
  })
  expect(report.checks).toMatchObject([{ id: 'seeded.loaded', outcome: 'pass' }])
})

test('every statement of the corpus runs on the reference and finds rows unless it is marked as empty', async () => {
  for (const { id, statement, empty = false } of corpus.flatMap(({ statements }) => statements)) {
    const { rows, message } = await ask(larger, statement, larger.fetch)
    expect(message, id).toMatch(empty ? /no results/ : /executed successfully/)
    expect(rows.length > 0, id).toBe(!empty)
  }
})

describe('a target with the rows of the plant', { timeout: 240_000 }, () => {
  test('agrees with the reference if it answers like the reference', async () => {
    const checks = await judge(['seeded.*'], { fuzz: 100 })
    expect(checks.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
    expect(checks.find(({ id }) => id === 'seeded.points')!.message).toMatch(/^500 rows: /)
  })

  test.each(['timestamps.format=millis-z', 'timestamps.format=seconds-z'])(
    'may print its timestamps with %s',
    async (variant) => {
      const checks = await judge(['seeded.*'], { variant })
      expect(checks.filter(({ outcome }) => outcome === 'fail')).toEqual([])
      expect(checks.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(10)
    },
  )

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
      expect(message).toMatch(/`SELECT l\.\w+ FROM \w+ l LEFT JOIN \w+ r ON l\.\w+ = r\.\w+`/)
      expect(message).toContain('Repeat with --seeded --seed 1 --scale 0.01')
      expect([expected, actual]).toEqual([
        expect.stringMatching(/^\d+ rows/),
        expect.stringMatching(/^\d+ rows?/),
      ])
      expect(curl).toContain(message.match(/`(SELECT .*?)`/)![1])
    }
  })
})

test('a target with other rows is not judged, and the report says how to load the rows of the plant', async () => {
  const checks = await judge(['seeded.*'], { scale: 0.1 })
  expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(['not-exercised']))
  const [loaded, ...others] = checks.map(({ message }) => message)
  expect(loaded).toContain(
    '`bioprocess-sql fixtures export --seed 1 --scale 0.1 --format ndjson --out plant`',
  )
  expect(new Set(others).size).toBe(1)
})
