import { Button } from '../parts/button.tsx'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Outcome } from '../ask/outcome.tsx'
import { begin, run, type Run } from '../ask/run.ts'
import { Select } from '../parts/fields.tsx'
import { count } from '../parts/format.ts'
import type { Answer } from '../service/answer.ts'
import { hashOf } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { Chart } from './chart.tsx'
import { axesOf, curvesOf, type Drawing, firstDrawing } from './table-curves.ts'
import { createView } from './view.ts'

/** The result of a statement as curves. */
export function StatementPlot({ service, statement }: { service: Service; statement: string }) {
  const [state, setState] = useState<Run>(begin)
  useEffect(() => {
    const now = begin()
    setState(now)
    void run(service, statement, now).then((outcome) =>
      setState((state) => (state === now ? outcome : state)),
    )
    return () => now.leaving.abort()
  }, [service, statement])
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
  const [drawing, setDrawing] = useState(() => firstDrawing(axes))
  const { curves, left, isMixed } = useMemo(
    () => (drawing ? curvesOf(answer, drawing) : { curves: [], left: 0, isMixed: false }),
    [answer, drawing],
  )
  const view = useMemo(createView, [drawing?.x])
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
      options={options.map((option) => [option, option || '(one curve)'])}
      set={(value) => setDrawing({ ...drawing, [name]: value })}
    />
  )
  const points = curves.reduce((sum, { xs }) => sum + xs.length, 0)
  return (
    <section class="card panel" aria-label="Plot of the statement">
      <header>
        {choice('x', 'x', [...axes.times, ...axes.numbers])}
        {choice('y', 'y', axes.numbers)}
        {choice('curves by', 'by', ['', ...axes.groups])}
        <span class="muted small">
          {count(points, 'point')}
          {left > 0 && `; ${count(left, 'more curve')} not drawn`}
        </span>
        <Button class="end" text="Show all" act={() => (view.value = undefined)} />
      </header>
      {isMixed && (
        <p class="notice warn">
          Most points share their x with others. Select a column that tells the curves apart, such as{' '}
          <code>id</code>, and choose it at “curves by”.
        </p>
      )}
      <Chart
        title={`${drawing.y} over ${drawing.x}`}
        curves={curves}
        view={view}
        isTime={axes.times.includes(drawing.x)}
        xLabel={drawing.x}
        height={420}
      />
    </section>
  )
}
