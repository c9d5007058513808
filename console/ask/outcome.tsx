import { useEffect, useState } from 'preact/hooks'
import { Rows } from '../grid/rows.tsx'
import { GiveToken } from '../parts/give-token.tsx'
import { duration, size } from '../parts/format.ts'
import type { Params } from '../service/route.ts'
import type { Run } from './run.ts'

interface OutcomeProps {
  run: Run
  name?: string
  /** The state of the table where it lasts longer than the table, and how it is changed. */
  params?: Params
  change?: (params: Params) => void
}

/** The rows of a statement, or why there are none. */
export function Outcome({ run, name = 'Result', params, change }: OutcomeProps) {
  const [own, setOwn] = useState<Params>({})
  switch (run.state) {
    case 'none':
      return (
        <div class="empty card">
          <h2>No rows yet</h2>
          <p>Run the statement with Ctrl and Enter, or choose an example.</p>
        </div>
      )
    case 'running':
      return <Running since={run.since} />
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
            <p class="small">
              The server’s log has the cause: <code>{run.cause}</code>
            </p>
          )}
        </div>
      )
    case 'rows':
      return (
        <Rows
          name={name}
          answer={run.answer}
          about={`${size(run.answer.bytes)} · ${duration(run.ms)}`}
          params={params ?? own}
          change={change ?? ((more) => setOwn({ ...own, ...more }))}
        />
      )
  }
}

function Running({ since }: { since: number }) {
  const [now, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [since])
  return (
    <p class="empty card" aria-busy="true">
      Running … {duration(Math.max(0, now - since))}
    </p>
  )
}
