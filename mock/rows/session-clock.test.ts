import { expect, test } from 'vitest'
import { iso } from '../../base/time/micros.ts'
import { type PlantClock, SessionClock } from './session-clock.ts'

const asOf = '2026-01-01T00:00:00Z'
const before = '2025-12-31T00:00:00Z'
const nowhere = () => undefined

/** The time that a statement is told. */
const told = (clock: SessionClock) => clock.forDatabase && iso(clock.forDatabase)

test.each<[string, PlantClock, RegExp]>([
  ['a live plant', { now: () => asOf, asOf }, /moves by itself\. Start the server without --live/],
  ['own rows', { now: nowhere, asOf: undefined }, /of your own rows .*, because there are no later rows/],
  ['a page', { now: nowhere, asOf }, /in a page/],
])('the time of %s cannot be moved, and the error says why', (_, plant, reason) => {
  expect(() => new SessionClock(plant).run(1)).toThrow(reason)
})

test.each<[string, PlantClock, string | undefined]>([
  ['a plant', { now: nowhere, asOf }, '2026-01-01T00:00:00.000000+00:00'],
  ['a live plant', { now: () => asOf, asOf: before }, '2026-01-01T00:00:00.000000+00:00'],
  ['own rows', { now: nowhere, asOf: undefined }, undefined],
  ['a plant with the real clock', { now: nowhere, asOf, databaseClock: 'real' }, undefined],
])('the database tells the time of %s', (_, plant, time) => {
  expect(told(new SessionClock(plant))).toBe(time)
})

test('the database tells no time before the last change, until the session is reset', () => {
  const clock = new SessionClock({ now: nowhere, asOf })
  expect([clock.stamp(), clock.stamp()][1]).toBe('2026-01-01T00:00:00.000002+00:00')
  expect(told(clock)).toBe('2026-01-01T00:00:00.000002+00:00')
  clock.reset()
  expect(told(clock)).toBe('2026-01-01T00:00:00.000000+00:00')
})
