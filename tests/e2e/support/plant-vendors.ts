import { createDataset } from '../../../fixtures/index.ts'
import { views, type ViewName } from '../../../schemas/index.ts'
import { sqliteVendor } from './sqlite-vendor.ts'
import { whitelistVendor } from './whitelist-vendor.ts'

/** The token of the vendors. */
export const PLANT_TOKEN = 'b1946ac9-2492-4d23-8c3f-9f1a3e6f0d11'

/** Vendors in this process that serve the plant and share no code with the reference server. */
export function plantVendors(plant: { readonly runs?: number } = {}) {
  const dataset = createDataset({ scale: 0.01, ...plant })
  const tables = Object.fromEntries(
    views.map(({ name }) => [name, Array.from(dataset.rows(name as ViewName), (row) => ({ ...row }))]),
  )
  return {
    arrays: () => whitelistVendor(tables, PLANT_TOKEN),
    sqlite: () => sqliteVendor(tables, PLANT_TOKEN),
  }
}
