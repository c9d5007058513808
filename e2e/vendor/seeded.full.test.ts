import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../../conformance/index.ts'
import { mutants } from '../../conformance/mutants/index.ts'
import { seededChecks } from '../../conformance/seeded/checks.ts'
import type { CheckResult } from '../../schemas/index.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { plantedDefects } from '../support/planted-defects.ts'
import { brokenVendor, exportFixtures, scratch, startVendor, VENDOR_TOKEN } from '../support/vendor.ts'

const [seed, scale] = [1, 0.01]
const folder = scratch()
let fixtures: string
let reference: Reference

beforeAll(async () => {
  fixtures = await exportFixtures(folder.dir, scale)
  reference = await createReference({ seed, scale, workers: 2 })
})
afterAll(async () => {
  await reference.close()
  folder.remove()
})

/** The answers of the reference, kept because every run sends it the same statements. */
const answered = new Map<string, Promise<{ status: number; text: string }>>()

const cachedReference = () => ({ ...reference, seed, scale, fetch: askOnce })

const askOnce: typeof fetch = async (input, init) => {
  const key = String(init?.body)
  const known =
    answered.get(key) ??
    reference.fetch(input, init).then(async (reply) => ({ status: reply.status, text: await reply.text() }))
  answered.set(key, known)
  const { status, text } = await known
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}

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

test('a vendor without a defect agrees in every statement, also in two thousand generated ones', async () => {
  const checks = await judgeVendor(['seeded.*'], 2000)
  expect(brief(checks.filter(({ outcome }) => outcome !== 'pass'))).toEqual([])
  const compared = checks
    .filter(({ id }) => id.startsWith('seeded.fuzz'))
    .map(({ message }) => Number.parseInt(message, 10))
  expect(compared.reduce((sum, count) => sum + count, 0)).toBe(2000)
}, 300_000)

describe('a thousand generated statements', () => {
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
      const checks = await judgeVendor(['seeded.fuzz*'], 1000, source)
      const found = checks.filter((result) => result.outcome !== 'pass')
      expect(found.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(expected)
      expect(found[0]!.message).toMatch(smallest)
      expect(found[0]!.message).toContain('--seeded --seed 1 --scale 0.01 --fuzz 1000')
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
