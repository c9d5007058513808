import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checks } from '../../conformance/checks/index.ts'
import { mutants } from '../../conformance/mutants/index.ts'
import type { Reference } from '../../mock/index.ts'
import { requirements } from '../../schemas/index.ts'
import { expectKilled, judge, spread, startReference } from '../support/self-proof.ts'

describe('the register, the checks and the mutants', () => {
  test('ids are unique', () => {
    for (const ids of [checks.map((check) => check.id), mutants.map((mutant) => mutant.id)])
      expect(new Set(ids).size).toBe(ids.length)
  })

  test('every must of the server side has a check, and every such check a mutant', () => {
    const musts = requirements.filter(({ level, side }) => level === 'must' && side === 'server')
    const withoutCheck = musts.filter(({ id }) => !checks.some(({ requirement }) => requirement === id))
    expect(
      withoutCheck.map(({ id }) => id),
      'need a check in conformance/checks/',
    ).toEqual([])
    const ids = new Set(musts.map(({ id }) => id))
    const withoutMutant = checks.filter((check) => ids.has(check.requirement) && check.killedBy.length === 0)
    const remedy = 'need a mutant in conformance/mutants/, named in killedBy'
    expect(
      withoutMutant.map(({ id }) => id),
      remedy,
    ).toEqual([])
  })

  test('every mutant is claimed by a check of the requirement it breaks', () => {
    const unclaimed = mutants.filter(
      ({ id, breaks }) =>
        !checks.some((check) => check.killedBy.includes(id) && check.requirement === breaks),
    )
    const remedy = 'need a check in conformance/checks/ of what they break that names them in killedBy'
    expect(
      unclaimed.map(({ id }) => id),
      remedy,
    ).toEqual([])
    const known = new Set(mutants.map(({ id }) => id))
    const unknown = checks.flatMap(({ killedBy }) => killedBy).filter((id) => !known.has(id))
    expect(unknown, 'are in killedBy, but not in conformance/mutants/').toEqual([])
  })
})

describe('the reference passes what its mutants fail', () => {
  let reference: Reference
  beforeAll(async () => {
    reference = await startReference()
  })
  afterAll(() => reference.close())

  test('the control: every check that claims a mutant passes on the reference', async () => {
    const claims = checks.filter(({ killedBy }) => killedBy.length > 0).map(({ id }) => id)
    const report = await judge(reference, claims)
    const notGreen = report.checks.filter(({ outcome }) => outcome !== 'pass')
    expect(notGreen.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)).toEqual([])
  })

  test.each(spread.map((mutant) => [mutant.id, mutant] as const))('%s is killed', (_, mutant) =>
    expectKilled(reference, mutant),
  )
})
