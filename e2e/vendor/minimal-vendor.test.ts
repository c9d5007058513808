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

test.concurrent('the minimal vendor, which shares no code with the suite, fails nothing', async () => {
  const vendor = await startVendor({ fixtures, timeLimitMs: 3000 })
  try {
    const target = ['--base-url', vendor.baseUrl, '--token', VENDOR_TOKEN]
    const { exitCode, stdout } = await runCli([
      'conformance',
      ...target,
      '--time-limit',
      '3s',
      '--allow-incomplete',
    ])
    expect(stdout).toMatch(/^incomplete {2}http/)
    expect(exitCode).toBe(0)
  } finally {
    await vendor.stop()
  }
}, 240_000)

// The slow tier has the others, a vendor without a time limit, and the limit of 30 s.
test.concurrent.each(brokenVendors.slice(0, 1).map((vendor) => [vendor.defect, vendor] as const))(
  'a vendor with %s is non-conformant, and the report names the section',
  async (_, vendor) => expectNonConformant(vendor, folder.dir, fixtures),
  240_000,
)
