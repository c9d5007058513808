import { expect, test } from 'vitest'
import { type PlantClock, SessionClock } from './session-clock.ts'

const asOf = '2026-01-01T00:00:00Z'

test.each<[string, PlantClock, RegExp]>([
  ['a live plant', { now: () => asOf, asOf }, /moves by itself\. Start the server without --live/],
  [
    'own rows',
    { now: () => undefined, asOf: undefined },
    /of your own rows .*, because there are no later rows/,
  ],
  ['a page or a shared engine', { now: () => undefined, asOf }, /in a page, nor with the shared engine/],
])('the time of %s cannot be moved, and the error says why', (_, plant, reason) => {
  expect(() => new SessionClock(plant).run(1)).toThrow(reason)
})
