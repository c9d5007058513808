import { expect, test } from 'vitest'
import { pitchOf } from './panels.ts'

const every = (minutes: number, count: number) =>
  Array.from({ length: count }, (_, n) => n * minutes * 60_000)

test('a recorder has a pitch, also where it lost points', () => {
  const times = every(32, 60)
  expect(pitchOf(times)).toBe(32 * 60_000)
  expect(pitchOf(times.filter((_, n) => n % 5 !== 0))).toBe(32 * 60_000)
})

test('samples have none: they are few or irregular', () => {
  expect(pitchOf([0, 115 * 60_000])).toBeUndefined()
  expect(pitchOf(every(115, 10))).toBeUndefined()
  expect(pitchOf(every(115, 40).map((time, n) => time + n * n * 1000))).toBeUndefined()
  expect(pitchOf([])).toBeUndefined()
})
