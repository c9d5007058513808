import { expect, test } from 'vitest'
import { dateSpellings } from '../../connection/values/date-literal.ts'
import { instantOf } from '../../connection/values/instant.ts'
import { freeDates } from './values.ts'

const HOUR = 3_600_000_000_000n
const free = (...texts: string[]) =>
  freeDates(
    texts.map((text) => instantOf(text)!),
    14n * HOUR,
    dateSpellings[0]!,
  ).map(({ date }) => date)

test('free dates are near the updates, and not at their midnights', () => {
  expect(free('2025-03-04T00:00:00Z')).toEqual([
    '2025-03-02',
    '2025-03-03',
    '2025-03-05',
    '2025-03-06',
    '2025-03-07',
  ])
})

test('free dates are those of four digits, also beside updates that have none', () => {
  const never = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z', '+275760-09-13T00:00:00Z']
  expect(free(...never, '2025-03-04T00:00:00Z')).toEqual([
    '0001-01-02',
    '0001-01-03',
    '0001-01-04',
    '2025-03-02',
    '2025-03-03',
    '2025-03-05',
    '2025-03-06',
    '2025-03-07',
    '9999-12-29',
    '9999-12-30',
    '9999-12-31',
  ])
})
