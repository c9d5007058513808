import { Button } from '../parts/button.tsx'
import { useMemo } from 'preact/hooks'
import { Select } from '../parts/fields.tsx'
import { count } from '../parts/format.ts'
import { lazy } from '../parts/lazy.tsx'
import type { Answer } from '../service/answer.ts'
import { change, route } from '../service/route.ts'
import type { ChartProps } from './curve.ts'
import { axesOf, curvesOf, type Drawing, firstDrawing, oneCurve } from './table-curves.ts'

/** Most results have no chart, and the library that draws it is larger than the rest of the tab. */
const Chart = lazy<ChartProps>(async () => (await import('./chart.tsx')).Chart)

/** The rows of a statement as curves; nothing where they have no two axes. */
export function RowsPlot({ answer }: { answer: Answer }) {
  const axes = useMemo(() => axesOf(answer), [answer])
  const { x, y, by } = route.value.params
  const drawing = useMemo((): Drawing | undefined => {
    const first = firstDrawing(axes)
    return first && { x: x ?? first.x, y: y ?? first.y, by: by ?? first.by }
  }, [axes, x, y, by])
  const drawn = useMemo(() => drawing && curvesOf(answer, drawing), [answer, drawing])
  if (!drawing || !drawn) return null
  const choice = (label: string, name: keyof Drawing, options: readonly string[]) => (
    <Select
      shown="row"
      label={label}
      value={drawing[name]}
      options={options}
      set={(value) => change({ ...(name === 'x' && { view: undefined }), [name]: value }, 'another')}
    />
  )
  const points = drawn.curves.reduce((sum, { xs }) => sum + xs.length, 0)
  return (
    <section class="card" aria-label="Plot of the rows">
      <header>
        {choice('x', 'x', [...axes.times, ...axes.numbers])}
        {choice('y', 'y', axes.numbers)}
        {choice('curves by', 'by', [oneCurve, ...axes.groups])}
        <span class="muted small">
          {count(points, 'point')}
          {drawn.left > 0 && `; ${count(drawn.left, 'more curve')} not drawn`}
        </span>
        <Button class="end" text="Show all" act={() => change({ view: undefined })} />
      </header>
      {drawn.isMixed && (
        <p class="notice warn">
          Most points share their x with others. Select a column that tells the curves apart, such as{' '}
          <code>id</code>, and choose it at “curves by”.
        </p>
      )}
      <Chart
        title={drawing.y}
        curves={drawn.curves}
        isTime={axes.times.includes(drawing.x)}
        xLabel={drawing.x}
      />
    </section>
  )
}
