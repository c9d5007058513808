import { textOf } from '../parts/format.ts'

/** A run that has started, with its events. Times are milliseconds since 1970. */
export type Run = Readonly<NonNullable<ReturnType<typeof runOf>>>

/** What the time of a run is counted from. */
export const alignments = ['start', 'feed', 'induction', 'clock'] as const
export type Alignment = (typeof alignments)[number]

export const runColumns =
  'b.id, b.external_id, b.name, b.status, b.run_start_timestamp, b.run_end_timestamp, b.end_timestamp, b.events, p.product'

type Event = Readonly<Record<string, unknown>>

/** Reads a row with {@link runColumns}; undefined for a run that has not started. */
export function runOf(row: readonly unknown[]) {
  const [id, code, name, status, started, ended, recordEnd, given, product] = row
  const start = timeOf(started)
  if (Number.isNaN(start)) return undefined
  const end = timeOf(ended ?? recordEnd)
  const events = eventsOf(given)
  const additions = events.filter((event) => kindOf(event) !== '')
  const first = (pattern: RegExp) =>
    additions
      .filter((event) => pattern.test(kindOf(event)))
      .map(eventTime)
      .sort((a, b) => a - b)[0]
  return {
    id: String(id),
    code: String(code),
    name: String(name),
    status: String(status),
    product: String(product ?? ''),
    start,
    end,
    // undefined where the run has none
    feed: first(/feed/i),
    induction: first(/induction/i),
    phases: phasesOf(events, end),
    // additions and removals that are neither boluses nor samples
    marks: additions
      .filter((event) => !isTick(event))
      .map((event) => ({ label: kindOf(event), at: eventTime(event) })),
    notes: events
      .filter(({ note }) => note)
      .map((event) => ({ text: textOf(event['note']), at: eventTime(event) })),
    // boluses and samples
    ticks: additions.filter(isTick).map(eventTime),
  }
}

/** The kind of an addition or a removal; empty for another event. */
const kindOf = ({ addition_type: addition, removal_type: removal }: Event): string =>
  String(addition ?? removal ?? '')

const isTick = (event: Event): boolean => /bolus|sample/i.test(kindOf(event))

/** The time from which a run is counted; undefined if the run has no such event. */
export const anchorOf = (run: Run, alignment: Alignment): number | undefined =>
  alignment === 'clock' ? 0 : run[alignment]

/** The name of a run without what all of its kind share: `EC-251208-R111`. */
export const shortName = ({ name, code }: Run): string => name.split(' ')[0] || code

const eventsOf = (given: unknown): readonly Event[] =>
  Array.isArray(given) ? given.filter((event: Event | null) => event && !Number.isNaN(eventTime(event))) : []

const timeOf = (value: unknown): number => Date.parse(String(value))
const eventTime = (event: Event): number => timeOf(event['timestamp'])

function phasesOf(events: readonly Event[], end: number) {
  const edges = events.filter(({ phase }) => typeof phase === 'string')
  return edges
    .filter(({ time_point: point }) => point === 'start')
    .map((start) => {
      const from = eventTime(start)
      const stop = edges.find(
        (edge) => edge['phase'] === start['phase'] && edge['time_point'] === 'end' && eventTime(edge) >= from,
      )
      return { name: String(start['phase']), from, to: stop ? eventTime(stop) : end }
    })
}
