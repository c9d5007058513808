import { Button } from '../parts/button.tsx'
import { useMemo } from 'preact/hooks'
import { Outcome } from '../ask/outcome.tsx'
import { begin, run } from '../ask/run.ts'
import { Select } from '../parts/fields.tsx'
import { count } from '../parts/format.ts'
import type { Answer } from '../service/answer.ts'
import { change, hashOf, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { useRead } from '../service/use-read.ts'
import { Chart, setView } from './chart.tsx'
import { axesOf, curvesOf, type Drawing, firstDrawing, oneCurve } from './table-curves.ts'

/** The result of a statement as curves. */
export function StatementPlot({ service, statement }: { service: Service; statement: string }) {
  const now = useMemo(begin, [service, statement])
  const { value } = useRead(
    async (signal) => {
      signal.addEventListener('abort', () => now.leaving.abort())
      return { now, outcome: await run(service, statement, now) }
    },
    [now],
  )
  const state = value?.now === now ? value.outcome : now
  return (
    <div class="stack">
      <div class="row">
        <pre class="sql grow">{statement}</pre>
        <a class="button" href={hashOf('ask', { sql: statement })}>
          Edit in Ask
        </a>
      </div>
      {state.state === 'rows' ? <Drawn answer={state.answer} /> : <Outcome run={state} />}
    </div>
  )
}

function Drawn({ answer }: { answer: Answer }) {
  const axes = useMemo(() => axesOf(answer), [answer])
  const { x, y, by } = route.value.params
  const drawing = useMemo((): Drawing | undefined => {
    const first = firstDrawing(axes)
    return first && { x: x ?? first.x, y: y ?? first.y, by: by ?? first.by }
  }, [axes, x, y, by])
  const { curves, left, isMixed } = useMemo(
    () => (drawing ? curvesOf(answer, drawing) : { curves: [], left: 0, isMixed: false }),
    [answer, drawing],
  )
  if (!drawing)
    return (
      <div class="empty card">
        <h2>Nothing to draw</h2>
        <p>
          A plot needs a column of times or numbers, and another one of numbers. Select them in the statement.
        </p>
      </div>
    )
  const choice = (label: string, name: keyof Drawing, options: readonly string[]) => (
    <Select
      shown="row"
      label={label}
      value={drawing[name]}
      options={options}
      set={(value) => change({ ...(name === 'x' && { view: undefined }), [name]: value }, 'another')}
    />
  )
  const points = curves.reduce((sum, { xs }) => sum + xs.length, 0)
  return (
    <section class="card" aria-label="Plot of the statement">
      <header>
        {choice('x', 'x', [...axes.times, ...axes.numbers])}
        {choice('y', 'y', axes.numbers)}
        {choice('curves by', 'by', [oneCurve, ...axes.groups])}
        <span class="muted small">
          {count(points, 'point')}
          {left > 0 && `; ${count(left, 'more curve')} not drawn`}
        </span>
        <Button class="end" text="Show all" act={() => setView(undefined)} />
      </header>
      {isMixed && (
        <p class="notice warn">
          Most points share their x with others. Select a column that tells the curves apart, such as{' '}
          <code>id</code>, and choose it at “curves by”.
        </p>
      )}
      <Chart
        title={drawing.y}
        curves={curves}
        isTime={axes.times.includes(drawing.x)}
        xLabel={drawing.x}
        height={420}
      />
    </section>
  )
}
