import { useMemo } from 'preact/hooks'
import { textOfRange } from '../chart/view.ts'
import { rove } from '../parts/focus.ts'
import { count, shortTime } from '../parts/format.ts'
import type { RunRow } from '../run-list.ts'
import { hashOf } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { useRead } from '../service/use-read.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import { Reveal } from './reveal.tsx'
import { Sparkline } from './sparkline.tsx'

const hour = 3_600_000
/** Cards of a group; the table has all runs. */
const most = 3

interface Group {
  readonly title: string
  readonly tone: string
  readonly runs: readonly RunRow[]
  /** The filter of the table that finds them all. */
  readonly filter?: string
}

const isOf = (quality: string) => (run: RunRow) => run.quality.toLowerCase() === quality
const isRunning = ({ status }: RunRow) => status === 'In-progress'

/** The runs that matter: each is in the first group that it belongs to. */
function groupsOf(runs: readonly RunRow[]): readonly Group[] {
  const started = runs.filter(({ start }) => !Number.isNaN(start))
  const settled = started.filter((run) => !isOf('fail')(run) && !isOf('pending')(run) && !isRunning(run))
  return [
    { title: 'Failed', tone: 'bad', runs: started.filter(isOf('fail')), filter: 'quality:fail' },
    {
      title: 'Waiting for a decision',
      tone: 'warn',
      runs: started.filter(isOf('pending')),
      filter: 'quality:pending',
    },
    { title: 'Running now', tone: 'info', runs: started.filter(isRunning), filter: 'status:in-progress' },
    { title: 'Changed last', tone: 'good', runs: settled.toSorted((a, b) => b.updated - a.updated) },
  ]
}

/** What happened here: the runs that failed, wait, run, or changed last, with a note and a curve of each. */
export function Happened({ service, runs }: { service: Service; runs: readonly RunRow[] }) {
  const groups = useMemo(() => groupsOf(runs), [runs])
  const { value: evidence } = useRead(
    (signal) =>
      readEvidence(
        service,
        groups.flatMap(({ runs }) => runs.slice(0, most)),
        signal,
      ),
    [service, groups],
  )
  return (
    <section class="happened" aria-label="What happened here" onKeyDown={rove('.curve')}>
      {groups.map(({ title, tone, runs: own, filter }) => (
        <section key={title} aria-label={title}>
          <h2 class="row">
            {title}
            {filter && own.length > 0 && (
              <a class="small" href={hashOf('runs', { filter })}>
                {count(own.length, 'run')}
              </a>
            )}
          </h2>
          {own.length === 0 && <p class="small muted">None.</p>}
          <ul>
            {own.slice(0, most).map((run) => (
              <Card
                key={run.id}
                service={service}
                run={run}
                tone={tone}
                others={runs}
                evidence={evidence?.get(run.id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

/** The quality of a run in words. */
function wordsOf({ quality, failure, status, updated }: RunRow): string {
  if (quality.toLowerCase() === 'fail') return failure === '' ? 'Failed' : `Failed: ${failure}`
  if (quality.toLowerCase() === 'pending') return 'Waiting for a decision'
  if (status === 'In-progress') return 'Running now'
  return `${quality.toLowerCase() === 'pass' ? 'Passed' : quality || status}, changed ${shortTime(updated)}`
}

interface CardProps {
  service: Service
  run: RunRow
  tone: string
  /** All runs, among which some are like it. */
  others: readonly RunRow[]
  evidence: Evidence | undefined
}

function Card({ service, run, tone, others, evidence }: CardProps) {
  const { note, curve, quantities = [] } = evidence ?? {}
  const q = quantities.slice(0, 2).join('|')
  const alike = others.filter((one) => one !== run && one.kind === run.kind && isOf('pass')(one)).slice(0, 2)
  return (
    <li class={`card ${tone}`}>
      <a
        class="curve"
        href={hashOf('plot', {
          runs: run.id,
          q,
          view: note && viewOf(run, curve?.points.at(-1)?.[0], note.at),
          note: note && String(note.at),
        })}
        title="The curve at the moment of the note"
      >
        <span class="row">
          <b>{run.run}</b> <span class="small muted">{run.product}</span>
        </span>
        {curve ? <Sparkline points={curve.points} at={note?.at} /> : <svg />}
      </a>
      <p class="row">
        <span class={`badge ${tone}`}>{wordsOf(run)}</span>
        <span class="small muted end">{curve?.quantity}</span>
      </p>
      <p class="note" title={note?.text}>
        <span class="muted small">{note && shortTime(note.at)}</span> {note && <q>{note.text}</q>}
      </p>
      <p class="row small">
        {alike.length > 0 && (
          <a
            href={hashOf('plot', { runs: [run, ...alike].map(({ id }) => id).join(), q })}
            title={`Beside ${count(alike.length, 'run')} that passed`}
          >
            compare
          </a>
        )}
        <a href={hashOf('runs', { row: run.id })}>events</a>
        {isSimulated(service) && <Reveal service={service} run={run.id} />}
      </p>
    </li>
  )
}

/** Only a server of the simulated plant knows what it planted. */
const isSimulated = ({ kind, facts }: Service) => kind === 'server' && facts.plant !== undefined

/** The part of the axis around a moment, in hours after the start: a fifth of the run, and at least four hours. */
function viewOf({ start }: RunRow, end: number | undefined, at: number): string | undefined {
  const half = Math.max(2, ((end ?? at) - start) / hour / 10)
  const place = (at - start) / hour
  return textOfRange([place - half, place + half])
}
