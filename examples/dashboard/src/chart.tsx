import type { Overlay, Point } from './reads'

const [width, height] = [720, 240]
const colours = ['#0f766e', '#b45309', '#6d28d9', '#be123c']

/** Series of several runs over the hours since their start. */
export function Chart({ title, overlay }: { title: string; overlay: Overlay }) {
  const all = [...overlay.series.values()].flat()
  if (all.length === 0) return <p>These runs have no {title}.</p>
  const longest = Math.max(...all.map(([hours]) => hours), 1)
  const highest = Math.max(...all.map(([, value]) => value), 1e-9)
  const place = ([hours, value]: Point) =>
    `${((hours / longest) * width).toFixed(1)},${(height - (value / highest) * height).toFixed(1)}`
  return (
    <figure>
      <figcaption>
        {title}, up to {highest.toPrecision(3)} in {Math.round(longest)} h
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title} of ${overlay.series.size} runs`}
      >
        {[...overlay.series].map(([run, points], index) => (
          <polyline
            key={run}
            data-points={points.length}
            fill="none"
            stroke={colours[index % colours.length]}
            strokeWidth={2}
            points={points.map(place).join(' ')}
          />
        ))}
      </svg>
    </figure>
  )
}
