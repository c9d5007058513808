import { afterAll, beforeAll, test } from 'vitest'
import { brokenVendors, expectNonConformant, startBrokenVendors } from '../support/broken-vendors.ts'
import { exportFixtures, scratch, type Vendor } from '../support/vendor.ts'

const folder = scratch()
let vendors: Vendor[]

beforeAll(async () => {
  vendors = await startBrokenVendors(folder.dir, await exportFixtures(folder.dir, 0.01, { runs: 3 }))
}, 240_000)
afterAll(async () => {
  await Promise.all(vendors.map((vendor) => vendor.stop()))
  folder.remove()
})

test.each(brokenVendors.map((vendor, at) => [vendor.defect, vendor, at % 2] as const))(
  'a vendor with %s is non-conformant, and the report names the section',
  async (_, vendor, half) => expectNonConformant(vendor, vendors[half]!),
)

test('a vendor without a time limit is non-conformant, and the report names the section', async () => {
  const time = { requirement: 'REQ-TIME-1', section: 'Errors, table of HTTP statuses, row 1' }
  await expectNonConformant(time, vendors[0]!, '--time-limit', '2s')
})
