import { expect, test } from 'vitest'
import { instantOf } from '../connection/values/instant.ts'
import { splittingDate } from './splitting-date.ts'

const hours = (count: number) => BigInt(count) * 3_600_000_000_000n
const instants = (...texts: string[]) => texts.map((text) => instantOf(text)!)
const split = (...texts: string[]) => splittingDate(instants(...texts), hours(26))

test('splittingDate splits the rows in the middle', () => {
  expect(split('2025-01-01', '2025-01-02', '2025-03-01', '2025-03-02')).toBe('2025-01-04')
})

test.each([
  [[]],
  [['2025-01-01T12:00:00Z']],
  [['2025-01-01T12:00:00Z', '2025-01-01T12:00:00Z']],
  [['2025-01-01T23:00:00Z', '2025-01-03T23:00:00Z']],
  [['-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z']],
])('splittingDate returns undefined for %j', (texts) => {
  expect(split(...texts)).toBeUndefined()
})

test('splittingDate splits rows beside the first and last instants of a calendar', () => {
  const far = ['-271821-04-20T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31', '+294276-12-31T23:59:59Z']
  expect(split(...far, '2025-01-01', '2025-01-02')).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('splittingDate leaves rows beyond the margin on both sides', () => {
  for (let gap = 70; gap < 140; gap += 7) {
    const rows = [instantOf('2025-01-01T22:59:00Z')!, instantOf('2025-01-01T22:59:00Z')! + hours(gap)]
    const date = splittingDate(rows, hours(26))
    if (gap > 26 * 2 + 24) expect(date).toBeDefined()
    if (date === undefined) continue
    expect(rows[0]).toBeLessThan(instantOf(date)! - hours(26))
    expect(rows[1]).toBeGreaterThan(instantOf(date)! + hours(26))
  }
})
