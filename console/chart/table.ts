import { asCsv } from '../ask/take-away.ts'
import { save } from '../parts/copy.ts'
import type { ChartProps } from './curve.ts'

/** Saves all points of a chart as CSV. */
export const saveTable = (chart: ChartProps): void => save(csvOf(chart), nameOf(chart.title, chart.curves))

/** A line for each point: its run and the time in ISO 8601, or its curve, and then x and y. */
export function csvOf({ title, about, curves, isTime, xLabel }: ChartProps): string {
  const rows = curves.flatMap(({ label, run, xs, ys }) =>
    xs.map((x, index) => [
      ...(run ? [run.id, run.name, iso(run.times[index]!)] : [label]),
      isTime ? iso(1000 * x) : x,
      ys[index],
    ]),
  )
  const which = curves.some(({ run }) => run) ? ['run_id', 'run', 'timestamp'] : ['curve']
  return asCsv({ columns: [...which, xLabel, about ? `${title}. ${about}` : title], rows })
}

/** The name of a file: what it shows, its run or how many, and the day. */
export function nameOf(title: string, curves: ChartProps['curves'], day = new Date()): string {
  const runs =
    curves.length === 1 ? curves[0]!.label : `${curves.length} ${curves[0]?.run ? 'runs' : 'curves'}`
  return `${[title, runs, iso(Number(day)).slice(0, 10)].join(' ').replaceAll(/[^\p{L}\d]+/gu, '-')}.csv`
}

const iso = (time: number) => new Date(time).toISOString()
