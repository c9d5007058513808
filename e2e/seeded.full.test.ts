import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../conformance/index.ts'
import { createReference, type Reference } from '../mock/index.ts'
import { plantedBugs } from './support/planted-bugs.ts'
import { brokenVendor, exportFixtures, scratch, startVendor, VENDOR_TOKEN } from './support/vendor.ts'

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

/** Judges the minimal vendor, its files at `source`, by generated statements alone. */
async function fuzzVendor(fuzz: number, source?: string) {
  const vendor = await startVendor({ fixtures, ...(source === undefined ? {} : { source }) })
  try {
    const { checks } = await runConformance({
      baseUrl: vendor.baseUrl,
      token: VENDOR_TOKEN,
      seeded: { oracle: { ...reference, seed, scale }, fuzz },
      only: ['seeded.loaded', 'seeded.fuzz*'],
    })
    return checks
  } finally {
    await vendor.stop()
  }
}

test('two thousand statements find nothing in a vendor without a fault', async () => {
  const checks = await fuzzVendor(2000)
  console.log(
    checks
      .map((c) => `${c.id} ${c.outcome} ${c.durationMs} ms ${c.message} ${c.expected} ${c.actual}`)
      .join('\n'),
  )
  expect(checks.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
}, 300_000)

describe('two thousand statements find each fault that is planted in the vendor, made as small as can be', () => {
  test.each(plantedBugs)(
    '$fault',
    async ({ fault, patch, outcome, check, smallest }) => {
      const source = brokenVendor(
        folder.dir,
        fault.replaceAll(/\W+/g, '-'),
        'select.mjs',
        'FOR ${statement}',
        patch,
      )
      const checks = await fuzzVendor(2000, source)
      console.log(
        checks
          .map(
            (c) => `${c.id} ${c.outcome} ${c.durationMs} ms ${c.message} ${c.expected} ${c.actual} ${c.curl}`,
          )
          .join('\n'),
      )
      const found = checks.filter((result) => result.outcome === outcome)
      expect(found.map(({ id }) => id)).toEqual(check)
      expect(found[0]!.message).toMatch(smallest)
    },
    300_000,
  )
})
