import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reference } from '../../mock/index.ts'
import {
  canBeTold,
  found,
  isOfTime,
  judge,
  requirementsWith,
  startReference,
  type Variant,
  variants,
} from '../support/variants.ts'

let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

test('there are variants of every standing', () => {
  expect(new Set(variants.map(({ standing }) => standing))).toEqual(new Set(['neutral', 'warns', 'departs']))
  expect(variants.length).toBeGreaterThan(80)
})

/** For a machine that is busy with other things. */
const patience = 180_000

async function expectAsRegistered(variant: Variant): Promise<void> {
  const { id, slug, standing, requirement } = variant
  const report = await judge(reference, [variant])
  expect(found(report, 'error')).toEqual([])
  if (standing === 'departs') expect(requirementsWith(report, 'fail')).toContain(requirement)
  else expect(found(report, 'fail')).toEqual([])
  if (standing === 'warns') expect(requirementsWith(report, 'warn')).toContain(requirement)
  if (standing === 'neutral') expect(found(report, 'warn')).toEqual([])
  if (canBeTold(variant)) expect(report.observations[id]).toMatchObject({ variant: slug })
}

describe('what the register says of a variant is what the suite does', () => {
  // much of a run is waiting for engines, and for pauses that were asked for
  describe.concurrent('of what takes no time', { timeout: patience }, () => {
    test.each(variants.filter((variant) => !isOfTime(variant)))('$name: $standing', expectAsRegistered)
  })

  // where the time is what is looked at, one after the other, and again where the machine was busy
  describe('of the limit', { timeout: patience, retry: 2 }, () => {
    test.each(variants.filter(isOfTime))('$name: $standing', expectAsRegistered)
  })
})
