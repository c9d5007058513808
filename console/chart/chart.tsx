import { Button } from '../parts/button.tsx'
import { effect } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { colour, isDark } from '../parts/theme.ts'
import { drawMarks, type Marks, stripsOf } from './marks.ts'
import type { Curve } from './curve.ts'
import { savePicture, saveTable } from './save.ts'
import { moved, type View, within, zoomed } from './view.ts'

interface ChartProps {
  title: string
  /** What a point is. */
  about?: string | undefined
  curves: readonly Curve[]
  view: View
  /** Whether x is a time in seconds since 1970; else it is a number. */
  isTime: boolean
  /** The name of the x axis. */
  xLabel: string
  marks?: readonly Marks[]
  /** What is shown where the view is all. Default: from the first point to the last. */
  extent?: readonly [from: number, to: number] | undefined
  height?: number
}

/**
 * Curves that are dragged to pan; Ctrl and the wheel, or + and −, zoom; a double click or 0 shows all. The arrow keys read out
 * point by point, and pan with Shift.
 */
export function Chart(props: ChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [said, say] = useState('')
  const { title, about, curves, view, isTime, xLabel, height = 260 } = props
  const latest = useRef(props)
  latest.current = props

  const whole = (): readonly [number, number] => {
    const xs = plot.current!.data[0]
    return latest.current.extent ?? [xs[0] ?? 0, xs.at(-1) ?? 1]
  }
  const look = (range: readonly [number, number] | undefined) =>
    (view.value = range && within(range, whole()))
  const readOut = (to: number) => {
    const current = plot.current!
    const xs = current.data[0]
    const x = xs[Math.max(0, Math.min(xs.length - 1, to))]
    if (x === undefined) return
    const [from, end] = rangeOf(current)
    if (x < from || x > end) look(moved([from, end], (x - (from + end) / 2) / (end - from)))
    // uPlot draws the new range in a microtask of its own
    queueMicrotask(() => {
      // the third argument, which its types lack, moves the other panels along
      const moveCursor: (at: { left: number; top: number }, ...options: boolean[]) => void = current.setCursor
      moveCursor({ left: current.valToPos(x, 'x'), top: 0 }, true, true)
      const values = latest.current.curves.flatMap(({ label }, index) => {
        const at = current.cursor.idxs?.[index + 1]
        const y = typeof at === 'number' ? current.data[index + 1]![at] : undefined
        return typeof y === 'number' ? `${label} ${Number(y.toPrecision(5))}` : []
      })
      say(`${isTime ? clock(x) : x.toFixed(2)}: ${values.join(', ')}`)
    })
  }
  const onKeyDown = ({ key, shiftKey, target, currentTarget }: TargetedKeyboardEvent<HTMLElement>) => {
    if (target !== currentTarget) return true
    const current = plot.current!
    const now = rangeOf(current)
    const { idx } = current.cursor
    const { length } = current.data[0]
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[key]
    if (step && shiftKey) look(moved(now, step / 10))
    else if (step) readOut(idx === null || idx === undefined ? indexAt(current, now) : idx + step)
    else if (key === 'Home') readOut(0)
    else if (key === 'End') readOut(length - 1)
    else if (key === '+') look(zoomed(now, 0.8))
    else if (key === '-') look(zoomed(now, 1.25))
    else if (key === '0') look(undefined)
    else return true
    return false
  }

  // the labels and colours of uPlot are fixed when it is made; data and marks are not
  const shape = curves.map(({ label, colour, dash }) => label + colour + dash.join()).join('\n')
  useEffect(() => {
    const element = host.current!
    const current = new uPlot(
      optionsOf(latest.current, element.clientWidth, () => latest.current),
      dataOf(curves),
      element,
    )
    plot.current = current
    const observer = new ResizeObserver(() => current.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    const stop = [effect(() => show(current, view.value ?? latest.current.extent)), handle(current, look)]
    return () => {
      observer.disconnect()
      for (const end of stop) end()
      current.destroy()
    }
  }, [shape, isTime, xLabel, isDark.value])
  useEffect(() => {
    plot.current?.setData(dataOf(curves), false)
    show(plot.current!, view.value ?? props.extent)
  }, [curves, props.marks, props.extent])

  return (
    <div
      class="chart"
      role="group"
      tabIndex={0}
      aria-label={`${title}: ${curves.map(({ label }) => label).join(', ')}. Arrow keys read out, with Shift they move, plus and minus zoom, 0 shows all.`}
      onKeyDown={(event) => onKeyDown(event) || event.preventDefault()}
    >
      <div class="row">
        <h2>{title}</h2>
        <span class="muted small">{about}</span>
        <span class="row end">
          <Button class="small" text="PNG" act={() => savePicture(plot.current!, title)} />
          <Button class="small" text="CSV" act={() => saveTable(curves, xLabel, title)} />
        </span>
      </div>
      <div ref={host} />
      <p class="hidden-label" role="status">
        {said}
      </p>
    </div>
  )
}

/** The first point of a range. */
const indexAt = (plot: uPlot, [from]: readonly [number, number]): number =>
  Math.max(
    0,
    plot.data[0].findIndex((x) => x >= from),
  )

/** One table of all curves, in the order of x. */
function dataOf(curves: readonly Curve[]): uPlot.AlignedData {
  if (curves.length === 0) return [[]]
  const tables = curves.map(({ xs, ys }): uPlot.AlignedData => [xs as number[], ys as number[]])
  return tables.length === 1 ? tables[0]! : uPlot.join(tables)
}

const rangeOf = (plot: uPlot): readonly [number, number] => [
  plot.scales['x']!.min ?? 0,
  plot.scales['x']!.max ?? 1,
]

function show(plot: uPlot, range: readonly [number, number] | undefined): void {
  const xs = plot.data[0]
  if (xs.length === 0) return
  const [min, max] = range ?? [xs[0]!, xs.at(-1)!]
  plot.setScale('x', { min, max: max > min ? max : min + 1 })
}

/** Lets a pointer drag the view and a wheel zoom it. Returns a function that ends it. */
function handle(plot: uPlot, look: (range: readonly [number, number] | undefined) => void): () => void {
  const { over } = plot
  let from: { x: number; range: readonly [number, number] } | undefined
  const down = (event: PointerEvent) => {
    over.setPointerCapture(event.pointerId)
    from = { x: event.clientX, range: rangeOf(plot) }
  }
  const move = (event: PointerEvent) => {
    if (from) look(moved(from.range, (from.x - event.clientX) / over.clientWidth))
  }
  const up = () => (from = undefined)
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    look(zoomed(rangeOf(plot), event.deltaY > 0 ? 1.15 : 0.87, plot.posToVal(event.offsetX, 'x')))
  }
  const reset = () => look(undefined)
  over.addEventListener('pointerdown', down)
  over.addEventListener('pointermove', move)
  over.addEventListener('pointerup', up)
  over.addEventListener('wheel', wheel, { passive: false })
  over.addEventListener('dblclick', reset)
  // the elements go with the plot, and their listeners with them
  return up
}

function optionsOf(
  { curves, isTime, xLabel, height = 260 }: ChartProps,
  width: number,
  latest: () => ChartProps,
): uPlot.Options {
  const marks = () => latest().marks ?? []
  const xsOf = (series: number) => latest().curves[series - 1]?.xs ?? []
  const axis = {
    stroke: colour('--muted'),
    font: '11px system-ui',
    labelFont: '11px system-ui',
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1, size: 4 },
  }
  return {
    width: Math.max(width, 100),
    height,
    scales: {
      x: { time: isTime },
      y: { range: (_, min, max) => uPlot.rangeNum(min ?? 0, max ?? 1, 0.08, true) },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: 'console' },
      points: { size: 6 },
      // a curve has no value before its first and after its last point
      hover: {
        prox: (_, series, __, x) => (x < xsOf(series)[0]! || x > xsOf(series).at(-1)! ? 0 : null),
      },
    },
    legend: { show: true, live: true },
    // room for the strips of the phases
    padding: [Math.max(14, stripsOf(marks().length) + 10), 12, 0, 0],
    axes: [
      isTime
        ? { ...axis, size: 40, values: clockLabels }
        : { ...axis, size: 26, label: xLabel, labelSize: 18, labelGap: 0 },
      { ...axis, size: 58 },
    ],
    series: [
      {
        label: isTime ? 'time (UTC)' : xLabel,
        value: (_, x) => (x === null ? '' : isTime ? clock(x) : x.toFixed(2)),
      },
      ...curves.map((curve): uPlot.Series => ({
        label: curve.label,
        stroke: colour(curve.colour),
        width: 1.6,
        dash: [...curve.dash],
        spanGaps: true,
        points: { show: (_, series) => xsOf(series).length < 60, size: 5 },
        value: (_, y) => (y === null || y === undefined ? '–' : Number(y.toPrecision(5)).toString()),
      })),
    ],
    hooks: { drawAxes: [(plot) => drawMarks(plot, marks())] },
  }
}

/** Labels of a time axis by the seconds between them, in 24 hours and with the day where it changes. */
const clockLabels: (string | number | null)[][] = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
]

export const clock = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
