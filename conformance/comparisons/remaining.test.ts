import { expect, test } from 'vitest'
import { remaining } from './remaining.ts'

test('remaining removes one equal value for each of the others', () => {
  expect(remaining(['a', 'b', 'a'], ['a', 'c'])).toEqual(['b', 'a'])
  expect(remaining([{ id: 'a', name: null }], [{ name: null, id: 'a' }])).toEqual([])
})
