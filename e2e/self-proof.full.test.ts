import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Reference } from '../mock/index.ts'
import { expectKilled, slowMutants, startReference } from './support/self-proof.ts'

describe('mutants that have to be waited for', () => {
  let reference: Reference
  beforeAll(async () => {
    reference = await startReference()
  })
  afterAll(() => reference.close())

  test.each(slowMutants.map((mutant) => [mutant.id, mutant] as const))('%s is killed', (_, mutant) =>
    expectKilled(reference, mutant),
  )
})
