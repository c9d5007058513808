import type { Catalogue } from './catalogue.ts'
import { type Curve, type CurveStyle, styleOf } from './curve.ts'
import type { Marks } from './marks.ts'
import type { PointStore } from './points.ts'
import { type Alignment, anchorOf, type Run, shortName } from './runs.ts'

/** One panel: a quantity with a curve for each run. */
export interface Panel {
  readonly title: string
  readonly unit: string
  /** Milliseconds from one point to the next, and the runs recorded so; samples and setpoints have none. */
  readonly pitches: ReadonlyMap<number, readonly string[]>
  readonly curves: readonly Curve[]
}

/** A run on the axis: with its style and the time that is its zero. */
export interface Placed extends CurveStyle {
  readonly run: Run
  readonly anchor: number
}

/** The chosen runs, but those without the event to align on. */
export function placed(runs: readonly Run[], alignment: Alignment): readonly Placed[] {
  return runs.flatMap((run, index) => {
    const anchor = anchorOf(run, alignment)
    return anchor === undefined ? [] : [{ run, ...styleOf(index), anchor }]
  })
}

/** Milliseconds in one step of the axis: hours, or seconds of the clock. */
const stepOf = (alignment: Alignment): number => (alignment === 'clock' ? 1000 : 3_600_000)

/** A panel for each quantity. */
export function panelsOf(
  { series }: Catalogue,
  runs: readonly Placed[],
  quantities: readonly string[],
  store: PointStore,
  alignment: Alignment,
): readonly Panel[] {
  const step = stepOf(alignment)
  return quantities.map((quantity) => {
    const own = series.filter((one) => one.quantity === quantity)
    const pitches = new Map<number, readonly string[]>()
    const curves = runs.flatMap(({ run, anchor, ...style }) => {
      const found = own.find(({ runId }) => runId === run.id)
      if (!found) return []
      const { times, values } = store.of(found.id)
      const label = shortName(run)
      const pitch = /setpoint/i.test(quantity) ? undefined : pitchOf(times)
      if (pitch !== undefined) pitches.set(pitch, [...(pitches.get(pitch) ?? []), label])
      const xs = times.map((time) => (time - anchor) / step)
      return [{ label, run: { ...run, times }, ...style, xs, ys: values }]
    })
    const unit = own.find(({ runId }) => runs.some(({ run }) => run.id === runId))?.unit ?? ''
    return { title: unit ? `${quantity}, ${unit}` : quantity, unit, pitches, curves }
  })
}

/** The time between the points of a recorder: most lie that far apart, some are lost. Fewer than 20 are samples. */
export function pitchOf(times: readonly number[]): number | undefined {
  const gaps = times.slice(1).map((time, index) => time - times[index]!)
  const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]
  const isRegular = gaps.filter((gap) => gap === usual).length > gaps.length / 2
  return times.length >= 20 && isRegular ? usual : undefined
}

/** From the first point of all panels to the last; undefined if there is none. */
export function extentOf(panels: readonly Panel[]): readonly [number, number] | undefined {
  const ends = panels.flatMap(({ curves }) =>
    curves.flatMap(({ xs }) => (xs.length > 0 ? [xs[0]!, xs.at(-1)!] : [])),
  )
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : undefined
}

/** Phases and events of the runs on the axis. @param noted milliseconds since 1970 of a note that is marked */
export const marksOf = (runs: readonly Placed[], alignment: Alignment, noted: number): readonly Marks[] =>
  runs.map(({ run, colour, anchor }) => {
    const on = (time: number) => (time - anchor) / stepOf(alignment)
    return {
      colour,
      phases: run.phases.map(({ name, from, to }) => ({ name, from: on(from), to: on(to) })),
      lines: [
        ...run.marks.map(({ label, at }) => ({ label, at: on(at) })),
        ...run.notes
          .filter(({ at }) => at === noted)
          .map(({ at }) => ({ label: 'note', at: on(at), colour: '--bad' })),
      ],
      ticks: run.ticks.map(on),
    }
  })
