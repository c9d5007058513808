import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenVendors, expectNonConformant } from '../support/broken-vendors.ts'
import { runCli } from '../support/cli.ts'
import { exportFixtures, scratch, startVendor, VENDOR_TOKEN } from '../support/vendor.ts'

const folder = scratch()
let fixtures: string

beforeAll(async () => {
  fixtures = await exportFixtures(folder.dir)
})
afterAll(() => folder.remove())

test.concurrent('the minimal vendor, which shares no code with the suite, is conformant', async () => {
  const vendor = await startVendor({ fixtures })
  try {
    const { exitCode, stdout } = await runCli([
      'conformance',
      '--base-url',
      vendor.baseUrl,
      '--token',
      VENDOR_TOKEN,
    ])
    expect(stdout).toMatch(/^conformant {2}http/)
    expect(exitCode).toBe(0)
  } finally {
    await vendor.stop()
  }
}, 240_000)

// The slow tier has the others, and a vendor without a time limit.
test.concurrent.each(brokenVendors.slice(0, 2).map((vendor) => [vendor.defect, vendor] as const))(
  'a vendor with %s is non-conformant, and the report names the section',
  async (_, vendor) => expectNonConformant(vendor, folder.dir, fixtures),
  240_000,
)
