import { expect, test } from 'vitest'
import { csvOf, nameOf } from './table.ts'

const start = Date.UTC(2026, 0, 1)
const style = { colour: '--c1', dash: [] }
const run = { id: 'r1', name: 'EC-1 E. coli, 2 L', times: [start, start + 90_000] }

test('each line of a chart of runs has the run, the time of the point and its hours', () => {
  const curve = {
    label: 'EC-1',
    run,
    ...style,
    xs: [0, 0.025],
    ys: [1.5, null],
  }
  expect(
    csvOf({ title: 'DO, %', curves: [curve], isTime: false, xLabel: 'hours after the start' }).split('\r\n'),
  ).toEqual([
    'run_id,run,timestamp,hours after the start,"DO, %"',
    'r1,"EC-1 E. coli, 2 L",2026-01-01T00:00:00.000Z,0,1.5',
    'r1,"EC-1 E. coli, 2 L",2026-01-01T00:01:30.000Z,0.025,',
    '',
  ])
})

test('on the clock, x is the time too', () => {
  const curve = { label: 'EC-1', run, ...style, xs: [start / 1000], ys: [2] }
  expect(csvOf({ title: 'pH', curves: [curve], isTime: true, xLabel: 'time (UTC)' })).toBe(
    'run_id,run,timestamp,time (UTC),pH\r\nr1,"EC-1 E. coli, 2 L",2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z,2\r\n',
  )
})

test('the lines of a statement have its columns', () => {
  const curve = { label: 'a', ...style, xs: [1], ys: [2] }
  expect(csvOf({ title: 'value', curves: [curve], isTime: false, xLabel: 'n' })).toBe(
    'curve,n,value\r\na,1,2\r\n',
  )
})

test('a file is named after the chart, its run or their number, and the day', () => {
  const curve = { label: 'EC-1', run, ...style, xs: [], ys: [] }
  expect(nameOf('DO, %', [curve], new Date(start))).toBe('DO-EC-1-2026-01-01.csv')
  expect(nameOf('DO, %', [curve, curve], new Date(start))).toBe('DO-2-runs-2026-01-01.csv')
  const { run: _, ...other } = curve
  expect(nameOf('value', [other, other], new Date(start))).toBe('value-2-curves-2026-01-01.csv')
})
