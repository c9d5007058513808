import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reference } from '../mock/index.ts'
import { canBeTold, found, judge, requirementsWith, startReference, variants } from './support/variants.ts'

let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

test('there are variants of every standing', () => {
  expect(new Set(variants.map(({ standing }) => standing))).toEqual(new Set(['neutral', 'warns', 'departs']))
  expect(variants.length).toBeGreaterThan(80)
})

/** Most of a run is waiting for engines and for pauses that were asked for: some run side by side. */
describe.concurrent('what the register says of a variant is what the suite does', () => {
  test.each(variants)('$name: $standing', async (variant) => {
    const { id, slug, standing, requirement } = variant
    const report = await judge(reference, [variant])
    expect(found(report, 'error')).toEqual([])
    if (standing === 'departs') expect(requirementsWith(report, 'fail')).toContain(requirement)
    else expect(found(report, 'fail')).toEqual([])
    if (standing === 'warns') expect(requirementsWith(report, 'warn')).toContain(requirement)
    if (standing === 'neutral') expect(found(report, 'warn')).toEqual([])
    if (canBeTold(variant)) expect(report.observations[id]).toMatchObject({ variant: slug })
  })
})
