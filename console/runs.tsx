import { useEffect, useMemo, useRef } from 'preact/hooks'
import { sqlLiteral } from '../base/text/sql-literal.ts'
import { Rows } from './grid/rows.tsx'
import { Happened } from './happened/happened.tsx'
import { Button } from './parts/button.tsx'
import { arrive } from './parts/focus.ts'
import { count } from './parts/format.ts'
import { Problem } from './parts/give-token.tsx'
import { runIn, statement } from './run-list.ts'
import type { Answer } from './service/answer.ts'
import { change, hashOf, route } from './service/route.ts'
import type { Service } from './service/service.ts'
import { useRead } from './service/use-read.ts'

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
  const runs = useMemo(() => answer?.rows.map(runIn) ?? [], [answer])
  const runOf = (row: readonly unknown[]) => runs[answer!.rows.indexOf(row)]!
  const idOf = (row: readonly unknown[]) => runOf(row).id
  const start = answer?.rows.find((one) => idOf(one) === (row ?? marked.at(-1)))
  useEffect(() => {
    if (!answer) return
    arrive(document.querySelector<HTMLElement>('main table'))
    // what a filter finds may stand below what happened
    if (arrival.current.params.filter) document.querySelector('.result')!.scrollIntoView({ block: 'nearest' })
  }, [answer, arrival.current])
  if (problem) return <Problem what="The runs" error={problem} />
  if (!answer) return <p class="empty">Reading the runs …</p>
  const { plant, now } = service.facts
  const asOf = now === undefined && plant ? ` as of ${plant.asOf.slice(0, 16).replace('T', ' ')}` : ''
  const simulated = plant?.scenario
    ? `scenario ${plant.scenario.name}: ${plant.scenario.text.replaceAll('`', '')}`
    : plant && `simulated plant of seed ${plant.seed} at scale ${plant.scale}`
  return (
    <>
      <Happened service={service} runs={runs} />
      <Rows
        key={arrival.current}
        unlisted={unlisted}
        toneOf={(row) => (runOf(row).quality === 'Fail' ? 'bad' : '')}
        name="Runs"
        answer={answer}
        about={simulated ? simulated + asOf : 'rows of your own'}
        params={route.value.params}
        change={change}
        search="Search the runs"
        example="fail  -draft  start>2026-01"
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
          !Number.isNaN(runOf(row).start) && (
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
        whole={async (row) =>
          notesFirst(
            await service.ask(`SELECT * FROM v_bioprocesses WHERE id = ${sqlLiteral(idOf(row))}`, {
              isOfPage: true,
            }),
          )
        }
      />
    </>
  )
}

/** A run begins with what tells how it went: its quality, what people wrote, and its events. */
function notesFirst({ columns, rows }: Answer): Pick<Answer, 'columns' | 'rows'> {
  const rest = columns.filter((name) => name !== 'qc' && name !== 'events')
  const inOrder = (row: readonly unknown[]) => {
    const of = (name: string) => row[columns.indexOf(name)]
    const events = of('events')
    const notes = Array.isArray(events) ? events.filter((event: { note?: unknown }) => event?.note) : []
    return [of('qc'), notes, events, ...rest.map(of)]
  }
  return { columns: ['qc', 'notes', 'events', ...rest], rows: rows.map(inOrder) }
}
