import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  expectJudgedAsRegistered,
  isOfTime,
  startReferences,
  titled,
  type References,
  variants,
} from './support/variants.ts'

let reference: References
beforeAll(async () => {
  reference = await startReferences()
})
afterAll(() => reference.close())

// Much of a run is waiting for engines and for pauses.
describe.concurrent('a whole suite run judges a variant as the register says:', () => {
  test.each(titled(variants.filter((variant) => !isOfTime(variant))))('%s', async (_, variant) => {
    await expectJudgedAsRegistered(reference, variant)
  })
})
