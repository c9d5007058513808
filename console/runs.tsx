import { useEffect, useMemo, useRef } from 'preact/hooks'
import { sqlLiteral } from '../base/text/sql-literal.ts'
import { Rows } from './grid/rows.tsx'
import { Happened } from './happened/happened.tsx'
import { Button } from './parts/button.tsx'
import { arrive } from './parts/focus.ts'
import { count, textOf } from './parts/format.ts'
import { Problem } from './parts/give-token.tsx'
import { change, hashOf, route } from './service/route.ts'
import type { Service } from './service/service.ts'
import { useRead } from './service/use-read.ts'

/** Joins the product of each run, as `p.product`. */
export const joinProduct = `LEFT JOIN (
  SELECT d.bioprocess_id AS run_id, d.value AS product
  FROM v_bioprocess_quantity_data d LEFT JOIN v_quantities q ON d.quantity_id = q.id
  WHERE q.name = 'Product') p ON p.run_id = b.id`

/** The name of a run is its code and then its process. */
const statement = `SELECT split_part(b.name, ' ', 1) AS run, p.product, substr(b.name, strpos(b.name, ' ') + 1) AS process,
  b.status, b.qc->>'status' AS quality, b.qc->>'failure_mode' AS failure,
  to_char(b.run_start_timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS start, b.id, b.last_updated_at
FROM v_bioprocesses b ${joinProduct}
ORDER BY b.run_start_timestamp DESC NULLS LAST, b.start_timestamp DESC`

/** A row of the list. Times are milliseconds since 1970, and NaN where there is none. */
export type RunRow = ReturnType<typeof runIn>

const runIn = ([run, product, , status, quality, failure, start, id, updated]: readonly unknown[]) => ({
  id: String(id),
  run: String(run),
  /** What the codes of all runs of a process begin with, such as EC. */
  kind: String(run).split('-')[0],
  product: textOf(product),
  status: String(status),
  quality: textOf(quality),
  failure: textOf(failure),
  start: Date.parse(`${String(start).replace(' ', 'T')}Z`),
  updated: Date.parse(String(updated)),
})

/** Columns that the page needs, and nobody looks for. */
const unlisted = ['id', 'last_updated_at']

const mark = (ids: readonly string[]): void => change({ marked: ids.join() })
const markedNow = (): string[] => route.value.params.marked?.split(',') ?? []

/**
 * The runs, those first that started last. A row opens with its events, and leads to its plot; those that are marked lead to one
 * plot. The address has both.
 */
export function Runs({ service }: { service: Service }) {
  const { value: answer, problem } = useRead(
    (signal) => service.ask(statement, { signal, isOfPage: true }),
    [service],
  )
  // another address of this tab opens another row
  const arrival = useRef(route.value)
  if (!route.value.isNoted) arrival.current = route.value
  const { row, marked: markedText } = route.value.params
  const marked = markedNow()
  const idAt = answer?.columns.indexOf('id') ?? -1
  const idOf = (row: readonly unknown[]) => String(row[idAt])
  const runs = useMemo(() => answer?.rows.map(runIn), [answer])
  const start = answer?.rows.find((one) => idOf(one) === (row ?? marked.at(-1)))
  useEffect(() => {
    if (answer) arrive(document.querySelector<HTMLElement>('main table'))
  }, [answer, arrival.current])
  if (problem) return <Problem what="The runs" error={problem} />
  if (!answer || !runs) return <p class="empty">Reading the runs …</p>
  const { plant, now } = service.facts
  const asOf = now === undefined && plant ? ` as of ${plant.asOf.slice(0, 16).replace('T', ' ')}` : ''
  const startAt = answer.columns.indexOf('start')
  return (
    <>
      <Happened service={service} runs={runs} />
      <Rows
        key={arrival.current}
        unlisted={unlisted}
        toneOf={(row) => (String(row[answer.columns.indexOf('quality')]) === 'Fail' ? 'bad' : '')}
        name="Runs"
        answer={answer}
        about={
          plant ? `simulated plant of seed ${plant.seed} at scale ${plant.scale}${asOf}` : 'rows of your own'
        }
        params={route.value.params}
        change={change}
        search="Search the runs"
        noun="run"
        more={
          <span class="row" role="status">
            {marked.length > 0 && (
              <>
                <a class="button small to-plot" href={hashOf('plot', { runs: markedText })}>
                  Plot {count(marked.length, 'run')}
                </a>
                <Button class="small" text="Unmark" act={() => mark([])} />
              </>
            )}
          </span>
        }
        boxOf={(row) =>
          row[startAt] !== null && (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Mark ${String(row[0])}`}
              title="Mark the run, to plot it with others"
              checked={marked.includes(idOf(row))}
              // the row stays closed
              onClick={(event) => event.stopPropagation()}
              onChange={({ currentTarget: { checked } }) =>
                mark(checked ? [...markedNow(), idOf(row)] : markedNow().filter((id) => id !== idOf(row)))
              }
            />
          )
        }
        start={{ row: start, isOpen: row !== undefined }}
        onOpen={(row) => change({ row: row && idOf(row) })}
        whole={(row) =>
          service.ask(`SELECT * FROM v_bioprocesses WHERE id = ${sqlLiteral(idOf(row))}`, { isOfPage: true })
        }
      />
    </>
  )
}
