import { expect, test } from 'vitest'
import { placeOf } from './place.ts'

test.each([
  ['http://localhost:4010/', { base: 'http://localhost:4010' }],
  ['http://localhost:4010/#plot', { base: 'http://localhost:4010' }],
  ['http://localhost/s/worker-1/?a#ask', { base: 'http://localhost/s/worker-1', session: 'worker-1' }],
])('the page at %s sends its requests to its session, if it has one', (address, place) => {
  expect(placeOf(new URL(address))).toEqual(place)
})
