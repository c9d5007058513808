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

/** A curve. */
export interface Curve extends CurveStyle {
  readonly label: string
  readonly xs: readonly number[]
  readonly ys: readonly (number | null)[]
}
