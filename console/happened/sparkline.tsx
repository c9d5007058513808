import type { Curve } from './evidence.ts'

/** Units of the drawing, which takes the size of its box. */
const [width, height] = [240, 36]

/** A curve without axes, and a line at the moment that somebody wrote about. */
export function Sparkline({ points, at }: Pick<Curve, 'points'> & { at: number | undefined }) {
  const values = points.flatMap(([, value]) => value ?? [])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const [from, to] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]
  const x = (time: number) => (((time - from) / (to - from || 1)) * width).toFixed(1)
  const y = (value: number) =>
    (height - 2 - ((value - least) / (most - least || 1)) * (height - 4)).toFixed(1)
  // after a gap, the curve begins again
  const path = points.map(([time, value], index) =>
    value === null ? '' : `${typeof points[index - 1]?.[1] === 'number' ? 'L' : 'M'}${x(time)} ${y(value)}`,
  )
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {at !== undefined && at >= from && at <= to && <path class="moment" d={`M${x(at)} 0V${height}`} />}
      <path d={path.join('')} />
    </svg>
  )
}
