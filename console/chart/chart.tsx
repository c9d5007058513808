import { Button } from '../parts/button.tsx'
import { computed, effect } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { colour, isDark } from '../parts/theme.ts'
import { change, route } from '../service/route.ts'
import { drawMarks, stripsOf } from './marks.ts'
import { backgroundOf, type ChartProps, type Curve } from './curve.ts'
import { saveTable } from './table.ts'
import { drawable, moved, type Range, rangeIn, textOfRange, within, zoomed } from './view.ts'

/** Pixels: the height of a chart, and between points that are read out together; a shorter drag is a click. */
const [height, nearby] = [300, 12]
const viewText = computed(() => route.value.params['view'])
/** The part of the x axis in view, as the address has it; undefined: all of it. The panels move together. */
const view = computed(() => rangeIn(viewText.value))
/** Changes what is in view. */
export const setView = (range: Range | undefined): void => change({ view: textOfRange(range) })

/**
 * Curves. A drag chooses what is shown, and pans with Shift or a finger; + and − zoom; a double click or 0 shows all. The arrow keys read out
 * point by point, and pan with Shift.
 */
export function Chart(props: ChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [said, say] = useState('')
  const { title, about, curves, isTime, xLabel } = props
  const latest = useRef(props)
  latest.current = props

  const [from, to] = view.value ?? [-Infinity, Infinity]
  const drawn = curves.filter(({ xs }) => xs.length > 0)
  const isBare = drawn.length > 0 && drawn.every(({ xs }) => xs[0]! > to || xs.at(-1)! < from)

  const whole = (): Range => {
    const xs = plot.current!.data[0]
    return latest.current.extent ?? [xs[0] ?? 0, xs.at(-1) ?? 1]
  }
  const look = (range: Range | undefined) => {
    // axes without points are of no time
    if (plot.current!.data[0].length > 0) setView(range && within(range, whole()))
  }
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
        return typeof y === 'number' ? `${label} ${textOfY(props, y)}` : []
      })
      say(`${textOfX(props, x)}: ${values.join(', ')}`)
    })
  }
  const onKeyDown = ({ key, shiftKey, target, currentTarget }: TargetedKeyboardEvent<HTMLElement>) => {
    if (target !== currentTarget) return true
    const current = plot.current!
    const now = rangeOf(current)
    const { idx } = current.cursor
    const [xs] = current.data
    const first = xs.findIndex((x) => x >= now[0])
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[key]
    if (step && shiftKey) look(moved(now, step / 10))
    else if (step) readOut(idx === null || idx === undefined ? first : idx + step)
    else if (key === 'Home') readOut(0)
    else if (key === 'End') readOut(xs.length - 1)
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
    const stop = effect(() => show(current, view.value ?? latest.current.extent))
    handle(current, look)
    return () => {
      observer.disconnect()
      stop()
      current.destroy()
    }
  }, [shape, title, isTime, xLabel, isDark.value])
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
          <Button class="small" text="CSV" act={() => saveTable(props)} />
        </span>
      </div>
      <div ref={host} />
      {isBare && (
        <p class="row" role="status">
          No points in this window.
          <Button
            class="small"
            text="Show all points"
            act={({ currentTarget }) => {
              currentTarget.closest<HTMLElement>('.chart')!.focus()
              setView(undefined)
            }}
          />
        </p>
      )}
      <p class="hidden-label" role="status">
        {said}
      </p>
    </div>
  )
}

/** One table of all curves, in the order of x. */
function dataOf(curves: readonly Curve[]): uPlot.AlignedData {
  if (curves.length === 0) return [[]]
  const tables = curves.map(({ xs, ys }): uPlot.AlignedData => [xs as number[], ys as number[]])
  return tables.length === 1 ? tables[0]! : uPlot.join(tables)
}

const rangeOf = (plot: uPlot): Range => [plot.scales['x']!.min ?? 0, plot.scales['x']!.max ?? 1]

/** A value of an axis as it is read out, with its unit. */
const textOfX = ({ isTime, units }: ChartProps, x: number): string =>
  isTime ? clock(x) : `${x.toFixed(2)} ${units?.[0] ?? ''}`.trim()
const textOfY = ({ units }: ChartProps, y: number): string =>
  `${Number(y.toPrecision(5))} ${units?.[1] ?? ''}`.trim()

function show(plot: uPlot, range: Range | undefined): void {
  const xs = plot.data[0]
  if (xs.length === 0) return
  const [min, max] = drawable(range ?? [xs[0]!, xs.at(-1)!])
  plot.setScale('x', { min, max })
}

/** Lets a finger, or the mouse with Shift, drag the view. */
function handle(plot: uPlot, look: (range: Range | undefined) => void): void {
  const { over } = plot
  let from: { x: number; range: Range } | undefined
  over.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' && !event.shiftKey) return
    over.setPointerCapture(event.pointerId)
    from = { x: event.clientX, range: rangeOf(plot) }
  })
  over.addEventListener('pointermove', (event) => {
    if (from) look(moved(from.range, (from.x - event.clientX) / over.clientWidth))
  })
  over.addEventListener('pointerup', () => (from = undefined))
  over.addEventListener('dblclick', () => look(undefined))
  plot.hooks.setSelect = [
    ({ select: { left, width } }) => {
      if (width > nearby) look([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')])
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    },
  ]
}

function optionsOf(
  { title, curves, isTime, xLabel }: ChartProps,
  width: number,
  latest: () => ChartProps,
): uPlot.Options {
  const marks = () => latest().marks ?? []
  const xsOf = (series: number) => latest().curves[series - 1]?.xs ?? []
  const axis = {
    stroke: colour('--muted'),
    font: '11px system-ui',
    labelFont: '11px system-ui',
    labelSize: 18,
    labelGap: 0,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1, size: 4 },
  }
  return {
    width: Math.max(width, 100),
    height,
    scales: {
      x: { time: isTime },
      y: { range: (_, min, max) => [...drawable(uPlot.rangeNum(min ?? 0, max ?? 1, 0.08, true) as Range)] },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: {
      y: false,
      // a drag chooses what is shown; with Shift it pans
      drag: { x: true, y: false, setScale: false },
      bind: {
        mousedown: (_, __, select) => (event) => (event.shiftKey ? null : select(event)),
        dblclick: () => null,
      },
      sync: { key: 'console' },
      points: { size: 6 },
      // values beside the point that is read out, and none before the first and after the last point of their curve
      hover: {
        prox: ({ cursor, data, valToPos }, series, index, x) =>
          x < xsOf(series)[0]! || x > xsOf(series).at(-1)!
            ? 0
            : nearby + Math.abs(cursor.left! - valToPos(data[0][index]!, 'x')),
      },
    },
    legend: { markers: { width: 0, fill: (_, series) => backgroundOf(latest().curves[series - 1]!) } },
    // room for the strips of the phases
    padding: [Math.max(14, stripsOf(marks().length) + 10), 12, 0, 0],
    axes: [
      { ...axis, label: xLabel, ...(isTime ? { size: 40, values: clockLabels } : { size: 26 }) },
      { ...axis, label: title, size: 50 },
    ],
    series: [
      {
        label: isTime ? 'time (UTC)' : xLabel,
        value: (_, x) => (x === null ? '' : textOfX(latest(), x)),
      },
      ...curves.map((curve): uPlot.Series => ({
        label: curve.label,
        stroke: colour(curve.colour),
        width: 1.6,
        dash: [...curve.dash],
        spanGaps: true,
        points: { show: (_, series) => xsOf(series).length < 60, size: 5 },
        value: (_, y) => (y === null || y === undefined ? '–' : textOfY(latest(), y)),
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
