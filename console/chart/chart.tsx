import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { colour, isDark } from '../parts/theme.ts'
import { drawMarks, type Marks, stripsOf } from './marks.ts'
import type { Curve } from './curve.ts'
import { savePicture, saveTable } from './save.ts'
import { moved, type View, zoomed } from './view.ts'

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

/** Curves that are dragged to pan; Ctrl and the wheel, or + and −, zoom; a double click or 0 shows all. */
export function Chart(props: ChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const { title, about, curves, view, isTime, xLabel, height = 260 } = props
  const latest = useRef(props)
  latest.current = props

  // the labels and colours of uPlot are fixed when it is made; data and marks are not
  const shape = curves.map(({ label, colour, dash }) => label + colour + dash.join()).join('\n')
  useEffect(() => {
    const element = host.current!
    const current = new uPlot(
      optionsOf(
        latest.current,
        element.clientWidth,
        () => latest.current.marks ?? [],
        (index) => (latest.current.curves[index]?.xs.length ?? 0) < 60,
      ),
      dataOf(curves),
      element,
    )
    plot.current = current
    const observer = new ResizeObserver(() => current.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    const stop = [effect(() => show(current, view.value ?? latest.current.extent)), handle(current, view)]
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
      aria-label={`${title}: ${curves.map(({ label }) => label).join(', ')}. Arrow keys move, plus and minus zoom, 0 shows all.`}
      onKeyDown={({ key }) => {
        const now = rangeOf(plot.current!)
        if (key === 'ArrowLeft') view.value = moved(now, -0.1)
        else if (key === 'ArrowRight') view.value = moved(now, 0.1)
        else if (key === '+') view.value = zoomed(now, 0.8)
        else if (key === '-') view.value = zoomed(now, 1.25)
        else if (key === '0') view.value = undefined
      }}
    >
      <div class="row">
        <h2>{title}</h2>
        <span class="muted small">{about}</span>
        <span class="row end">
          <button type="button" class="small" onClick={() => savePicture(plot.current!, title)}>
            PNG
          </button>
          <button type="button" class="small" onClick={() => saveTable(curves, xLabel, title)}>
            CSV
          </button>
        </span>
      </div>
      <div ref={host} />
    </div>
  )
}

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
function handle(plot: uPlot, view: View): () => void {
  const { over } = plot
  let from: { x: number; range: readonly [number, number] } | undefined
  const down = (event: PointerEvent) => {
    over.setPointerCapture(event.pointerId)
    from = { x: event.clientX, range: rangeOf(plot) }
  }
  const move = (event: PointerEvent) => {
    if (from) view.value = moved(from.range, (from.x - event.clientX) / over.clientWidth)
  }
  const up = () => (from = undefined)
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    view.value = zoomed(rangeOf(plot), event.deltaY > 0 ? 1.15 : 0.87, plot.posToVal(event.offsetX, 'x'))
  }
  const reset = () => (view.value = undefined)
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
  marks: () => readonly Marks[],
  hasDots: (index: number) => boolean,
): uPlot.Options {
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
    cursor: { drag: { x: false, y: false }, sync: { key: 'console' }, points: { size: 6 } },
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
        points: { show: (_, index) => hasDots(index - 1), size: 5 },
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

const clock = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
