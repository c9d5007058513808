import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataset } from '../../fixtures/index.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { contract, type Profile } from '../../schemas/index.ts'
import { sameRows } from './support/recorded-variants.ts'
import { newFolder, recordFrom } from '../e2e/support/twin.ts'
import { smallestPlant } from './support/self-proof.ts'

/** Timestamps in seconds, UTC: variants print other digits and zones. */
const inSeconds = (text: string): string =>
  text.replaceAll(
    /"(\d{4}-\d\d-\d\dT[^"]+)"/g,
    (_, time: string) => `"${Math.floor(Date.parse(time.replace(/([+-]\d\d)$/, '$1:00')) / 1000)}"`,
  )

describe('a recording has the same rows under the variant', () => {
  let vendor: Reference
  let usual: string[][]
  const folders: (() => void)[] = []
  beforeAll(async () => {
    vendor = await createReference({ dataset: createDataset(smallestPlant), workers: 1 })
    usual = await rowsUnder({})
  })
  afterAll(async () => {
    await vendor.close()
    for (const remove of folders) remove()
  })

  /** The sorted lines of each view, recorded with the profile of the service. */
  async function rowsUnder(variants: Record<string, string>): Promise<string[][]> {
    const { out, remove } = newFolder()
    folders.push(remove)
    const header = Object.entries(variants).map(([id, variant]) => `${id}=${variant}`)
    const recording = await recordFrom(vendor, out, {
      keepTexts: true,
      undocumented: true,
      ...(header.length > 0 && { headers: { 'x-mock-variant': header.join(', ') } }),
      observe: async () => ({ profile: { contract: 'v1', variants } as Profile, requests: 0 }),
    })
    expect(Object.entries(recording.views).filter(([, { complete }]) => !complete)).toEqual([])
    return contract.views.map((view) =>
      inSeconds(readFileSync(join(out, `${view}.ndjson`), 'utf8'))
        .split('\n')
        .toSorted(),
    )
  }

  test.each(sameRows)('%s=%s', async (id, variant) => {
    const rows = await rowsUnder({ [id]: variant })
    if (id === 'timeseries-data.last-updated-at' || id === 'schema.extra') {
      expect(rows.map(({ length }) => length)).toEqual(usual.map(({ length }) => length))
      return
    }
    // compared as texts: a difference of thousands of rows would take minutes to print
    expect(JSON.stringify(rows) === JSON.stringify(usual)).toBe(true)
  })
})
