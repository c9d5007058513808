import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Rows } from '../grid/rows.tsx'
import { GiveToken } from '../parts/give-token.tsx'
import { count, duration, size } from '../parts/format.ts'
import { change, route } from '../service/route.ts'
import type { Run } from './run.ts'

/** The rows of a statement, or why there are none. */
export function Outcome({ run }: { run: Run }) {
  switch (run.state) {
    case 'none':
      return (
        <div class="empty card">
          <h2>No rows yet</h2>
          <p>Run the statement with Ctrl and Enter, or choose an example.</p>
        </div>
      )
    case 'running':
      return <Running run={run} />
    case 'cancelled':
      return (
        <p class="notice none" role="status">
          Cancelled after {duration(run.ms)}. The server stopped the statement.
        </p>
      )
    case 'failed':
      return (
        <div class="notice bad stack" role="alert">
          <p class="row">
            <strong class="mono">{run.message}</strong>
            <span class="grow" />
            <span class="small">
              {run.status !== undefined && `HTTP ${run.status} · `}
              {duration(run.ms)}
            </span>
          </p>
          {run.refusedBy && <GiveToken />}
          {run.cause && !run.cause.includes(run.message) && (
            <div class="small">
              The server’s log has the cause: <pre>{run.cause}</pre>
            </div>
          )}
        </div>
      )
    case 'rows':
      return (
        <Rows
          name="Result"
          file={run.statement}
          answer={run.answer}
          about={`${size(run.answer.bytes)} · ${duration(run.ms)}`}
          params={route.value.params}
          change={change}
        />
      )
  }
}

function Running({ run }: { run: Extract<Run, { state: 'running' }> }) {
  const { since, progress, leaving } = run
  const [now, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [since])
  return (
    <p class="empty card" aria-busy="true">
      Running … {duration(Math.max(0, now - since))}{' '}
      {progress.bytes > 0 && `· ${size(progress.bytes)} · ${count(progress.rows, 'row')} `}
      <Button class="small cancel" text="Cancel" act={() => leaving.abort()} />
    </p>
  )
}
