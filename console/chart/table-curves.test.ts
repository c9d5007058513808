import { expect, test } from 'vitest'
import type { Answer } from '../service/answer.ts'
import { axesOf, curvesOf, firstDrawing, oneCurve } from './table-curves.ts'

const answer = (columns: string[], rows: unknown[][]): Answer => ({
  columns,
  rows,
  message: '',
  status: 200,
  bytes: 0,
  isCut: false,
})

const points = answer(
  ['id', 'last_updated_at', 'timestamp', 'value', 'data_item_id'],
  [
    ['b', '2026-01-02T00:00:00+00:00', '2026-01-01T00:00:02+00:00', 3, null],
    ['a', '2026-01-02T00:00:00+00:00', '2026-01-01T00:00:01+00:00', 2, null],
    ['a', '2026-01-02T00:00:00+00:00', '2026-01-01T00:00:00+00:00', 1, null],
    ['a', '2026-01-02T00:00:00+00:00', '2026-01-01T00:00:03+00:00', null, null],
  ],
)

test('draws the value over the timestamp, one curve for each id, in the order of time', () => {
  const axes = axesOf(points)
  expect(axes).toEqual({
    times: ['last_updated_at', 'timestamp'],
    numbers: ['value'],
    groups: ['id'],
    by: 'id',
  })
  const drawing = firstDrawing(axes)!
  expect(drawing).toEqual({ x: 'timestamp', y: 'value', by: 'id' })
  const start = Date.UTC(2026, 0, 1) / 1000
  expect(curvesOf(points, drawing).curves).toEqual([
    { label: 'b', colour: '--c1', dash: [], xs: [start + 2], ys: [3] },
    { label: 'a', colour: '--c2', dash: [], xs: [start, start + 1], ys: [1, 2] },
  ])
  expect(curvesOf(points, { ...drawing, by: oneCurve }).curves).toHaveLength(1)
  expect(curvesOf(points, { ...drawing, by: oneCurve }).isMixed).toBe(false)
})

test('two numbers are axes too, and texts alone are none', () => {
  expect(firstDrawing(axesOf(answer(['n', 'm'], [[1, 2]])))).toEqual({ x: 'n', y: 'm', by: oneCurve })
  expect(firstDrawing(axesOf(answer(['name', 'status'], [['a', 'b']])))).toBeUndefined()
})

test('rows of their own are one curve, or those of a text that several rows have', () => {
  const runs = answer(
    ['id', 'status', 'start', 'hours'],
    [
      ['a', 'Completed', '2026-01-01T00:00:00+00:00', 40],
      ['b', 'Completed', '2026-01-02T00:00:00+00:00', 41],
    ],
  )
  expect(axesOf(runs)).toMatchObject({ groups: ['id', 'status'], by: 'status' })
  expect(
    axesOf(
      answer(
        ['id', 'n', 'm'],
        [
          ['a', 1, 2],
          ['b', 3, 4],
        ],
      ),
    ).by,
  ).toBe(oneCurve)
})

test('draws as many curves as look different, and counts the others', () => {
  const rows = Array.from({ length: 56 }, (_, index) => [`s${index % 28}`, index, index])
  const { curves, left } = curvesOf(answer(['id', 'n', 'value'], rows), { x: 'n', y: 'value', by: 'id' })
  expect([curves.length, left, curves[0]?.xs]).toEqual([24, 4, [0, 28]])
  expect(new Set(curves.map(({ colour, dash }) => `${colour} ${dash.join()}`)).size).toBe(24)
})

test('says that a curve mixes several where most points share their x', () => {
  const rows = Array.from({ length: 30 }, (_, index) => [index % 10, index])
  const drawing = { x: 'n', y: 'value', by: oneCurve }
  expect(curvesOf(answer(['n', 'value'], rows), drawing).isMixed).toBe(true)
})
