import { useEffect, useMemo, useState } from 'preact/hooks'
import { copy } from '../parts/copy.ts'
import { GiveToken } from '../parts/give-token.tsx'
import { count, duration, size } from '../parts/format.ts'
import { Menu } from '../parts/menu.tsx'
import { Grid } from '../grid/grid.tsx'
import { matching, type Sort, sorted } from '../grid/order.ts'
import { useOrder } from '../grid/use-order.ts'
import type { Answer } from '../service/answer.ts'
import type { Run } from './run.ts'
import { asCsv, asJson } from './take-away.ts'

/** The rows of a statement, or why there are none. Results beside each other have names of their own. */
export function Outcome({ run, name = 'Result' }: { run: Run; name?: string }) {
  switch (run.state) {
    case 'none':
      return (
        <div class="empty card">
          <h2>No rows yet</h2>
          <p>Run the statement, or choose an example.</p>
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
      return <Rows key={run.answer.columns.join()} name={name} answer={run.answer} ms={run.ms} />
  }
}

function Rows({ name, answer, ms }: { name: string; answer: Answer; ms: number }) {
  const { rows, columns, bytes, message, isCut } = answer
  const [text, setText] = useState('')
  const [sort, setSort] = useState<Sort>()
  const [hidden, setHidden] = useState<readonly number[]>([])
  const shown = useMemo(() => [...columns.keys()].filter((one) => !hidden.includes(one)), [columns, hidden])
  const all = useOrder(() => sorted(rows, sort), [rows, sort])
  const order = useOrder(() => matching(rows, all, shown, text), [rows, all, shown, text])
  const table = (): Answer => ({
    ...answer,
    columns: shown.map((column) => columns[column]!),
    rows: Array.from(order, (row) => shown.map((column) => rows[row]![column])),
  })
  return (
    <section class="card result" aria-label={name}>
      <header>
        <h2 aria-live="polite">
          {text !== '' && `${order.length.toLocaleString('en')} of `}
          {count(rows.length, 'row')}
        </h2>
        <span class="muted small">
          {count(columns.length, 'column')} · {size(bytes)} · {duration(ms)}
        </span>
        <span class="row end">
          <input
            type="search"
            aria-label="Filter rows"
            placeholder="Filter rows"
            style={{ width: '180px' }}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="button" class="small" onClick={() => void copy(asJson(table()), 'the rows as JSON')}>
            Copy JSON
          </button>
          <button type="button" class="small" onClick={() => void copy(asCsv(table()), 'the rows as CSV')}>
            Copy CSV
          </button>
          <span class="end">
            <Menu
              label={hidden.length === 0 ? 'Columns' : `${shown.length} of ${columns.length} columns`}
              stays
              items={[
                ['Show all', () => setHidden([])],
                ['Hide all', () => setHidden([...columns.keys()])],
                ...columns.map((name, index): readonly [string, () => void] =>
                  hidden.includes(index)
                    ? [`☐ ${name}`, () => setHidden(hidden.filter((one) => one !== index))]
                    : [`☑ ${name}`, () => setHidden([...hidden, index])],
                ),
              ]}
            />
          </span>
        </span>
      </header>
      {isCut && (
        <p class="notice warn">
          The page stopped reading after {size(bytes)}. These are the first rows; add a LIMIT, or use curl or
          the client for all of them.
        </p>
      )}
      {rows.length === 0 ? (
        <p class="empty">{message}</p>
      ) : order.length === 0 && text !== '' ? (
        <p class="empty">No row contains “{text}”.</p>
      ) : (
        <Grid {...{ columns, rows, order, shown, sort, setSort }} />
      )}
    </section>
  )
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
