import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { mutants } from '../../proof/mutants/index.ts'
import { seededChecks } from '../../../conformance/seeded/checks.ts'
import type { CheckResult } from '../../../schemas/index.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import { plantedDefects } from '../support/planted-defects.ts'
import { remembering } from '../../proof/support/remembering.ts'
import { brokenVendor, exportFixtures, scratch, startVendor, VENDOR_TOKEN } from '../support/vendor.ts'

const [seed, scale] = [1, 0.01]
const folder = scratch()
let fixtures: string
let reference: Reference
let larger: Reference
let askOnce: typeof fetch

beforeAll(async () => {
  fixtures = await exportFixtures(folder.dir, scale)
  reference = await createReference({ seed, scale, workers: 2 })
  larger = await createReference({ seed, scale: 0.1, workers: 1 })
  askOnce = remembering(reference.fetch)
})
afterAll(async () => {
  await Promise.all([reference.close(), larger.close()])
  folder.remove()
})

/** The reference with a memory, because every run sends it the same statements. */
const cachedReference = () => ({ ...reference, seed, scale, fetch: askOnce })

/** Compares the minimal vendor, whose files are at `source`, with the reference. */
async function judgeVendor(only: string[], fuzz: number, source?: string): Promise<CheckResult[]> {
  const vendor = await startVendor({ fixtures, ...(source === undefined ? {} : { source }) })
  try {
    const { checks } = await runConformance({
      baseUrl: vendor.baseUrl,
      token: VENDOR_TOKEN,
      seeded: { reference: cachedReference(), fuzz },
      only,
    })
    return checks
  } finally {
    await vendor.stop()
  }
}

const brief = (checks: readonly CheckResult[]) =>
  checks.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)

test('a vendor without a defect agrees in every statement, also in three hundred generated ones', async () => {
  const checks = await judgeVendor(['seeded.*'], 300)
  expect(brief(checks.filter(({ outcome }) => outcome !== 'pass'))).toEqual([])
  const compared = checks
    .filter(({ id }) => id.startsWith('seeded.fuzz'))
    .map(({ message }) => Number.parseInt(message, 10))
  expect(compared.reduce((sum, count) => sum + count, 0)).toBe(300)
}, 300_000)

describe('three hundred generated statements', () => {
  test.each(plantedDefects)(
    'find a vendor where $defect, and are reduced to the smallest statement',
    async ({ defect, patch, checks: expected, smallest }) => {
      const source = brokenVendor(
        folder.dir,
        defect.replaceAll(/\W+/g, '-'),
        'select.mjs',
        'FOR ${statement}',
        patch,
      )
      const checks = await judgeVendor(['seeded.fuzz*'], 300, source)
      const found = checks.filter((result) => result.outcome !== 'pass')
      expect(found.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(expected)
      expect(found[0]!.message).toMatch(smallest)
      expect(found[0]!.message).toContain('--seeded --seed 1 --scale 0.01 --fuzz 300')
      expect(found[0]!.curl).toContain('curl -sS -i -X POST')
    },
    300_000,
  )
})

describe('a seeded check', () => {
  const claims = seededChecks({
    reference: { baseUrl: '', token: null, fetch, seed, scale },
    fuzz: 0,
    concurrency: 1,
    timeoutMs: 1,
    signal: new AbortController().signal,
  }).flatMap(({ id, killedBy }) => killedBy.map((mutant) => ({ id, mutant })))

  test.each(claims)('$id catches the mutant $mutant', async ({ id, mutant }) => {
    const { wrap } = mutants.find((candidate) => candidate.id === mutant)!
    const { checks } = await runConformance({
      baseUrl: reference.baseUrl,
      token: reference.token,
      fetch: wrap(reference.fetch),
      seeded: { reference: cachedReference() },
      only: [id],
    })
    expect(brief(checks)).toEqual([expect.stringMatching(new RegExp(`^${id} fail: `))])
  })
})

/** Compares the reference with itself or with the larger one. */
const judgeReference = async (expected: Reference, expectedScale: number, variant = '') => {
  const { baseUrl, token } = reference
  const report = await runConformance({
    baseUrl,
    token,
    fetch: reference.fetch,
    headers: variant ? { 'X-Mock-Variant': variant } : {},
    seeded: { reference: { ...expected, seed, scale: expectedScale } },
    only: ['seeded.*'],
  })
  return report.checks
}

test('a target may print its timestamps in seconds', async () => {
  const checks = await judgeReference(reference, scale, 'timestamps.format=seconds-z')
  expect(checks.length).toBeGreaterThan(5)
  expect(brief(checks.filter(({ outcome }) => outcome !== 'pass'))).toEqual([])
}, 240_000)

test('a target with other rows is not judged, and the report says how to load the rows of the plant', async () => {
  const checks = await judgeReference(larger, 0.1)
  expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(['not-exercised']))
  const [loaded, ...others] = checks.map(({ message }) => message)
  expect(loaded).toContain(
    '`bioprocess-sql fixtures export --seed 1 --scale 0.1 --format ndjson --out plant`',
  )
  expect(new Set(others).size).toBe(1)
})
