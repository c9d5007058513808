import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { capped } from './caps.ts'
import { createDataset } from '../../fixtures/index.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { caps, countsOf, silentlyCut } from './support/recorded-caps.ts'
import { newFolder, recordFrom } from '../e2e/support/twin.ts'
import { smallestPlant } from './support/self-proof.ts'

describe('a service with a cap', () => {
  let vendor: Reference
  let counts: Record<string, unknown>
  beforeAll(async () => {
    vendor = await createReference({ dataset: createDataset(smallestPlant), workers: 1 })
    counts = await countsOf(vendor)
  })
  afterAll(() => vendor.close())

  test.each(caps.others)('is recorded whole, or the recording says which view is not: %o', async (cap) => {
    const { out, remove } = newFolder()
    onTestFinished(remove)
    const recording = await recordFrom({ ...vendor, fetch: capped(cap)(vendor.fetch) }, out, {
      maxRequests: 2000,
    })
    expect(silentlyCut(recording, counts)).toEqual([])
  })
})
