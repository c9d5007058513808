import { expect, test } from 'vitest'
import { sample } from './sample.ts'

const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `subject-${n}`)
const small = { name: 'small', seconds: 1, ids: idsOf(10) }
const large = { name: 'large', seconds: 2, ids: idsOf(100) }
const sizes = (budget: number) => [...sample([large, small], budget, 1).values()].map(({ length }) => length)

test('a budget that is large enough takes every subject in its order', () => {
  expect(sample([small, large], 1000, 1)).toEqual(new Map([small, large].map(({ name, ids }) => [name, ids])))
})

test('a part that needs less than its share leaves the rest to the others', () => {
  expect(sizes(100)).toEqual([10, 45])
  expect(sizes(12)).toEqual([6, 3])
})

test('a larger budget takes the same subjects and more, and another seed takes others', () => {
  const [few, more] = [60, 120].map((budget) => sample([large], budget, 1).get('large')!)
  expect(few!.length).toBeLessThan(more!.length)
  expect(more).toEqual(expect.arrayContaining(few!))
  expect(sample([large], 60, 2).get('large')).not.toEqual(few)
})

test('a subject that varies costs two runs', () => {
  expect(sample([{ ...large, varies: () => true }], 40, 1).get('large')).toHaveLength(10)
})
