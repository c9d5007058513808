import { eventsOf, type TimedEvent } from '../rows/events.ts'
import { isoOf, isSameInstant, microsOf } from '../rows/instant.ts'
import { unless, type Problems } from '../invariant.ts'
import { isRecord, keyOf, type Row } from '../rows/row.ts'
import { say, type Message } from '../message.ts'

const isLike = (value: unknown, text: string) => keyOf(value).toLowerCase() === text

/** P27: the induction lies within the run and is the time of an event of type Induction. */
export function inductionProblems(row: Row): Problems | undefined {
  const [induction] = eventsOf({ events: [row['induction_event']] })
  if (!induction || Number.isNaN(induction.time)) return undefined
  const [start, end] = [microsOf(row['run_start_timestamp']), microsOf(row['run_end_timestamp'])]
  const outside = induction.time < start || induction.time > end
  const events = eventsOf(row).filter(({ event }) => isLike(event['addition_type'], 'induction'))
  const known = events.some(({ time }) => Number.isNaN(time) || isSameInstant(time, induction.time))
  const at = isoOf(induction.time)
  return [
    ...unless(!outside, say`The induction at ${at} is outside the run.`),
    ...unless(known, say`No event of type Induction happened at ${at}.`),
  ]
}

/** P28: events lie within the record. */
export function windowProblems(row: Row): Problems | undefined {
  const timed = eventsOf(row).filter(({ time }) => !Number.isNaN(time))
  if (timed.length === 0) return undefined
  const [start, end] = [microsOf(row['start_timestamp']), microsOf(row['end_timestamp'])]
  return timed
    .filter(({ time }) => time < start || time > end)
    .map(({ time }) => say`An event at ${isoOf(time)} is outside the record.`)
}

/**
 * P29: a phase ends only after it has started, does not start twice, and has ended once the run is completed. Different
 * phases may overlap.
 */
export function phaseProblems(row: Row): Problems | undefined {
  const edges = inOrder(eventsOf(row)).filter(
    ({ event }) =>
      'phase' in event && (isLike(event['time_point'], 'start') || isLike(event['time_point'], 'end')),
  )
  if (edges.length === 0 || (row['status'] !== 'Completed' && row['status'] !== 'In-progress'))
    return undefined
  const open = new Set<unknown>()
  const problems: Message[] = []
  for (const { event } of edges) {
    const { phase } = event
    const starts = isLike(event['time_point'], 'start')
    if (starts && open.has(phase)) problems.push(say`The phase ${phase} starts twice.`)
    if (!starts && !open.has(phase)) problems.push(say`The phase ${phase} ends without a start.`)
    if (starts) open.add(phase)
    else open.delete(phase)
  }
  if (row['status'] === 'Completed')
    for (const phase of open) problems.push(say`The phase ${phase} never ends.`)
  return problems
}

/** In time order if all events have a time, otherwise in the order of the list. */
function inOrder(events: readonly TimedEvent[]): readonly TimedEvent[] {
  if (events.some(({ time }) => Number.isNaN(time))) return events
  return events.toSorted((one, other) => one.time - other.time)
}

/** The bioprocesses that a lineage names as parents; the contract does not show its keys. */
export function parentsIn({ lineage }: Row): string[] {
  const parents = isRecord(lineage) ? lineage['parents'] : undefined
  if (!Array.isArray(parents)) return []
  return parents
    .filter(isRecord)
    .map((parent) => parent['bioprocess_id'])
    .filter((id): id is string => typeof id === 'string')
}
