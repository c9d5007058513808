import { afterAll, beforeAll, describe, test } from 'vitest'
import { mutants } from '../../conformance/mutants/index.ts'
import type { Reference } from '../../mock/index.ts'
import { expectKilled, startReference } from '../support/self-proof.ts'

describe('the release gate', () => {
  let reference: Reference
  beforeAll(async () => {
    reference = await startReference()
  })
  afterAll(() => reference.close())

  test.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s is killed', (_, mutant) =>
    expectKilled(reference, mutant),
  )
})
