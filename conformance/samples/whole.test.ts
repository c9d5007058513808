import { expect, test } from 'vitest'
import { handmade } from '../connection/handmade.test-helper.ts'
import { isCompleteBeside, largestOf, whole } from './whole.ts'

const ids = (count: number, length = 3) =>
  Array.from({ length: count }, (_, n) => ({ id: String(n).padStart(length, '0') }))
const answered = (count: number, sql = 'SELECT id FROM v_formulas LIMIT 500', length = 3) => ({
  sql,
  reply: { data: ids(count, length) },
})

test('a response is complete if the target has sent a larger one', () => {
  const largest = largestOf([ids(100), ids(7, 1000)])
  expect(isCompleteBeside(answered(99), largest)).toBe(true)
  expect(isCompleteBeside(answered(100), largest)).toBe(false)
  expect(isCompleteBeside(answered(0), largestOf([]))).toBe(true)
})

test('a response that reaches its LIMIT is not known to be complete', () => {
  expect(isCompleteBeside(answered(5, 'SELECT id FROM v_formulas LIMIT 5'), largestOf([ids(100)]))).toBe(
    false,
  )
})

test('a response with many bytes is complete only if the target has sent twice as many', () => {
  const wide = answered(20, undefined, 1000)
  expect(isCompleteBeside(wide, largestOf([ids(1000)]))).toBe(false)
  expect(isCompleteBeside(wide, largestOf([ids(1000), ids(30, 1000)]))).toBe(false)
  expect(isCompleteBeside(wide, largestOf([ids(1000), ids(42, 1000)]))).toBe(true)
})

test('the last row of a response does not show how many bytes a target sends', () => {
  expect(largestOf([ids(1, 50_000)]).bytes).toBeLessThan(10)
})

test('whole reads a view that is smaller than another one', async () => {
  const t = handmade({ rows: { v_formulas: ids(3), v_timeseries_data: ids(4) } })
  expect((await whole(t, 'v_formulas', ['id']))?.rows).toEqual(ids(3))
  expect(await whole(t, 'v_timeseries_data', ['id'])).toBeUndefined()
})
