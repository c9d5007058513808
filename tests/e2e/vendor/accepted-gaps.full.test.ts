import { expect, test } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { PLANT_TOKEN, plantVendors } from '../support/plant-vendors.ts'

const vendors = plantVendors({ runs: 3 })
const timeChecks = [
  'time.limit',
  'time.not-early',
  'time.recovers',
  'time.below-limit',
  'time.serves-later',
  'time.not-cut-short',
]
const reason = 'the server has no statement that runs longer than the limit'

test.each([
  ['arrays without SQL', async () => vendors.arrays()],
  ['SQLite', () => vendors.sqlite()],
])('a server over %s, which cannot exceed the time limit, is conformant with waivers', async (_, start) => {
  const report = await runConformance({
    baseUrl: 'http://vendor.example',
    token: PLANT_TOKEN,
    fetch: await start(),
    acceptNotExercised: Object.fromEntries(timeChecks.map((id) => [id, reason])),
  })
  expect(report.verdict).toBe('conformant-with-waivers')
  expect(report.counts).toMatchObject({
    fail: 0,
    warn: 0,
    inconclusive: 0,
    error: 0,
    waived: timeChecks.length,
  })
})
