import { expect, test } from 'vitest'
import { digestOf, jsonIn } from './tree.tsx'

const at = '2025-12-08T08:22:42.249000+00:00'

test.each([
  [
    {
      id: 'x',
      type: 'DbAdditionEvent',
      volume: { unit: 'mL', value: 29.6 },
      timestamp: at,
      lot_number: null,
      reagent_name: 'Glucose',
      addition_type: 'Feed Start',
    },
    { time: '2025-12-08 08:22', names: 'Feed Start · Glucose', values: '29.6 mL' },
  ],
  [
    { phase: 'growth', timestamp: at, time_point: 'start' },
    { time: '2025-12-08 08:22', names: 'growth · start', values: '' },
  ],
  [
    { value: 5, unit: 'mL' },
    { time: '', names: '', values: '5 mL' },
  ],
  [
    { note: 'foam', value: 4 },
    { time: '', names: 'foam', values: '4' },
  ],
  [
    { a: null, b: true },
    { time: '', names: '2 names', values: '' },
  ],
  [[1, 2, 3] as never, { time: '', names: '3 items', values: '' }],
])('an item %j has a time, a name and a value', (item, expected) => {
  expect(digestOf(item)).toEqual(expected)
})

test.each([
  [[1], [1]],
  ['[{"a":1}]', [{ a: 1 }]],
  ['{"a":', undefined],
  ['text', undefined],
  [null, undefined],
  [7, undefined],
])('the JSON of %j is found, also in a text', (value, expected) => {
  expect(jsonIn(value)).toEqual(expected)
})
