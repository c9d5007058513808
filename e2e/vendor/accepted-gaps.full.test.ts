import { expect, test } from 'vitest'
import { runConformance } from '../../conformance/index.ts'
import { createDataset } from '../../fixtures/index.ts'
import { views, type ViewName } from '../../schemas/index.ts'
import { sqliteVendor } from '../support/sqlite-vendor.ts'
import { whitelistVendor } from '../support/whitelist-vendor.ts'

const dataset = createDataset({ scale: 0.01 })
const tables = Object.fromEntries(
  views.map(({ name }) => [name, Array.from(dataset.rows(name as ViewName), (row) => ({ ...row }))]),
)
const token = 'b1946ac9-2492-4d23-8c3f-9f1a3e6f0d11'
const timeChecks = ['time.limit', 'time.not-early', 'time.recovers', 'time.below-limit']
const reason = 'the server has no statement that runs longer than the limit'

test.each([
  ['arrays without SQL', async () => whitelistVendor(tables, token)],
  ['SQLite', () => sqliteVendor(tables, token)],
])('a server over %s, which cannot exceed the time limit, is conformant with waivers', async (_, start) => {
  const report = await runConformance({
    baseUrl: 'http://vendor.example',
    token,
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
