import { expect, test } from 'vitest'
import { success } from '../support/hostile-target.ts'
import { judgedInLimitedMemory } from '../support/limited-memory.ts'

const MIB = 1024 * 1024

test('a target with a message of 60 MiB ends the run, and both reports say so', async () => {
  const body = success('[{"id":"a"}]').replace('"ok"', `"${'m'.repeat(60 * MIB)}"`)
  const { exitCode, report } = await judgedInLimitedMemory(() => body)
  expect(exitCode).toBe(3)
  expect(report.verdict).toBe('incomplete')
  expect(report.reasons[0]).toContain('sent more than 160 MiB in large replies')
})

test('a target with three million empty rows is unreachable: no reply can be read', async () => {
  const body = success(`[${'{},'.repeat(2_999_999)}{}]`)
  const { exitCode, report } = await judgedInLimitedMemory(() => body)
  expect(exitCode).toBe(4)
  expect(report.verdict).toBe('unreachable')
  expect(report.reasons[0]).toContain('has more than 2,000,000 values')
})
