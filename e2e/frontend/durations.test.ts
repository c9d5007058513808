import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../mock/index.ts'
import { ask } from '../support/ask.ts'
import { expectDurations } from '../support/durations.ts'

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ scale: 0.01, workers: 1 })
})
afterAll(() => reference.close())

test('statements round, divide, sum and filter durations in the embedded engine', async () => {
  await expectDurations(async (statement) => {
    const { state, message, rows } = await ask(reference, statement, reference.fetch)
    expect(`${statement}: ${state}: ${message}`).toMatch(/: success: /)
    return rows
  })
})
