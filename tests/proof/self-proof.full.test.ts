import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants/index.ts'
import { expectKilled, judge, startReferences, type References } from './support/self-proof.ts'

let references: References
beforeAll(async () => {
  references = await startReferences()
})
afterAll(() => references.close())

const isOfTime = ({ id }: Mutant): boolean => id.startsWith('time-')
const titled = (some: readonly Mutant[]) => some.map((mutant) => [mutant.id, mutant] as const)

describe('every check that claims a mutant catches it', () => {
  // Much of a run is waiting for pauses.
  describe.concurrent('in answers', () => {
    test.each(titled(mutants.filter((mutant) => !isOfTime(mutant))))('%s', (_, mutant) =>
      expectKilled(references, mutant),
    )
  })

  // Time is what these runs measure: one after the other, and again on a busy machine.
  describe('in the time limit', { retry: 2 }, () => {
    test.each(titled(mutants.filter(isOfTime)))('%s', (_, mutant) => expectKilled(references, mutant))

    test('and passes on the reference', async () => {
      const report = await judge(references.short, ['time.*'])
      const others = report.checks.filter(({ outcome }) => outcome !== 'pass')
      expect(others.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)).toEqual([])
    })
  })
})
