import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenVendors, expectNonConformant } from '../support/broken-vendors.ts'
import { runCli } from '../support/cli.ts'
import { oneIn } from '../support/one-in.ts'
import { exportFixtures, scratch, startVendor, VENDOR_TOKEN } from '../support/vendor.ts'

const folder = scratch()
let fixtures: string

beforeAll(async () => {
  fixtures = await exportFixtures(folder.dir)
})
afterAll(() => folder.remove())

test.each(oneIn(2, 'broken vendors', brokenVendors).map((vendor) => [vendor.defect, vendor] as const))(
  'a vendor with %s is non-conformant, and the report names the section',
  async (_, vendor) => expectNonConformant(vendor, folder.dir, fixtures),
  240_000,
)

test('a vendor without a time limit is non-conformant, and the report names the section', async () => {
  const vendor = await startVendor({ fixtures, timeLimitMs: 600_000 })
  try {
    const target = ['--base-url', vendor.baseUrl, '--token', VENDOR_TOKEN]
    const { exitCode, stdout } = await runCli([
      'conformance',
      ...target,
      '--time-limit',
      '2s',
      '--only',
      'REQ-TIME-1',
    ])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/✗ fail {2}REQ-TIME-1 /)
    expect(stdout).toContain('Errors, table of HTTP statuses, row 1')
  } finally {
    await vendor.stop()
  }
})
