import type { Marks } from './marks.ts'
import type { Range } from './view.ts'

/** How a curve is drawn. */
export interface CurveStyle {
  /** A colour of the style sheet, such as `--c1`. */
  readonly colour: string
  /** Lengths of dashes and gaps; none: a solid line. */
  readonly dash: readonly number[]
}

const colours = 8
const dashes = [[], [7, 4], [2, 3]]
/** The number of curves that look different. */
export const styles = colours * dashes.length
/** Eight colours, then the same with dashes. */
export const styleOf = (index: number): CurveStyle => ({
  colour: `--c${(index % colours) + 1}`,
  dash: dashes[Math.floor(index / colours) % dashes.length]!,
})

/** The line of a curve as a CSS background, for legends: borders have no dashes of given lengths. */
export const backgroundOf = ({ colour, dash: [line = 1, gap = 0] }: CurveStyle): string =>
  `repeating-linear-gradient(90deg, var(${colour}) 0 ${line}px, transparent ${line}px ${line + gap}px)`

/** A curve. */
export interface Curve extends CurveStyle {
  readonly label: string
  /** The run that it is of, and the time of each point in milliseconds since 1970. */
  readonly run?: { readonly id: string; readonly name: string; readonly times: readonly number[] }
  readonly xs: readonly number[]
  readonly ys: readonly (number | null)[]
}

/** What a chart shows. */
export interface ChartProps {
  /** What y is, with its unit. */
  title: string
  /** What a point is. */
  about?: string | undefined
  curves: readonly Curve[]
  /** Whether x is a time in seconds since 1970; else it is a number. */
  isTime: boolean
  /** The name of the x axis. */
  xLabel: string
  /** The units of x and y; empty: none is known. */
  units?: readonly [x: string, y: string]
  marks?: readonly Marks[]
  /** What is shown where the view is all. Default: from the first point to the last. */
  extent?: Range | undefined
}
