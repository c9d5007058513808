import { runConformance, type ConformanceOptions } from '../../../conformance/index.ts'
import { brokenVendors } from '../../../e2e/support/broken-vendors.ts'
import { PLANT_TOKEN, plantVendors } from '../../../e2e/support/plant-vendors.ts'
import { plantedDefects } from '../../../e2e/support/planted-defects.ts'
import { remembering } from '../../../proof/support/remembering.ts'
import {
  brokenVendor,
  exportFixtures,
  scratch,
  startVendor,
  VENDOR_TOKEN,
} from '../../../e2e/support/vendor.ts'
import { createReference } from '../../../mock/index.ts'
import type { ConformanceReport } from '../../../schemas/index.ts'
import type { Part } from './part.ts'

const [seed, scale] = [1, 0.01]

interface Vendor {
  /** A changed line of the minimal vendor: its file, and what replaces it. */
  readonly line?: readonly [file: string, line: string, replacement: string]
  readonly serverLimitMs?: number
  /** Whether its replies are compared with those of the reference. */
  readonly isSeeded?: true
  readonly options?: Partial<ConformanceOptions>
}

/** Copies of the minimal vendor. */
const minimal: Readonly<Record<string, Vendor>> = {
  'minimal vendor': {},
  'minimal vendor without a time limit': {
    serverLimitMs: 600_000,
    options: { timeLimitMs: 2000, only: ['REQ-TIME-1'] },
  },
  'minimal vendor, seeded': { isSeeded: true, options: { only: ['seeded.*'] } },
  ...Object.fromEntries(
    brokenVendors.map(({ defect, file, line, replacement }) => [
      `minimal vendor: ${defect}`,
      { line: [file, line, replacement], options: { skip: ['time.*'] } } satisfies Vendor,
    ]),
  ),
  ...Object.fromEntries(
    plantedDefects.map(({ defect, patch }) => [
      `minimal vendor, seeded: ${defect}`,
      {
        line: ['select.mjs', 'FOR ${statement}', patch],
        isSeeded: true,
        options: { only: ['seeded.fuzz*'] },
      } satisfies Vendor,
    ]),
  ),
}

/** Servers that share no code with the reference server and need nothing but Node. */
export const examples: Part = {
  name: 'examples',
  seconds: 15,
  ids: [...Object.keys(minimal), 'arrays', 'sqlite'],
  varies: (id) => !/seeded|:/.test(id),
  start: async () => {
    const folder = scratch()
    const fixtures = await exportFixtures(folder.dir, scale)
    const vendors = plantVendors()
    const reference = await createReference({ seed, scale, workers: 2 })
    const asked = { ...reference, seed, scale, fetch: remembering(reference.fetch) }

    async function judgeMinimal(id: string, vendor: Vendor): Promise<ConformanceReport> {
      const { line, serverLimitMs, isSeeded, options } = vendor
      const source = line && brokenVendor(folder.dir, id.replaceAll(/\W+/g, '-'), ...line)
      const { baseUrl, stop } = await startVendor({
        fixtures,
        ...(source === undefined ? {} : { source }),
        ...(serverLimitMs === undefined ? {} : { timeLimitMs: serverLimitMs }),
      })
      const seeded = isSeeded && { seeded: { reference: asked, fuzz: 1000 } }
      return runConformance({ baseUrl, token: VENDOR_TOKEN, ...seeded, ...options }).finally(stop)
    }

    return {
      judge: async (id) => {
        const vendor = minimal[id]
        if (vendor) return judgeMinimal(id, vendor)
        const fetch = await vendors[id as 'arrays' | 'sqlite']()
        return runConformance({ baseUrl: 'http://vendor.example', token: PLANT_TOKEN, fetch })
      },
      close: () => reference.close().finally(folder.remove),
    }
  },
}
