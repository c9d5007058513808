import { isRecord, type Row } from './row.ts'
import { microsOf, type Micros } from './instant.ts'

/** An event record, and when it happened; NaN where it does not say. */
export interface TimedEvent {
  event: Row
  time: Micros
}

/** A date and at least hours: a lot number of eight digits is no time. */
const withTime = /^\d{4}-\d\d-\d\d[T ]\d\d/

/**
 * When an event happened: its `timestamp`, or else the first time under any key. The contract does not show how
 * events carry one.
 */
export function timeOf(event: Row): Micros {
  const own = microsOf(event['timestamp'])
  if (!Number.isNaN(own)) return own
  const other = Object.values(event).find((value) => typeof value === 'string' && withTime.test(value))
  return microsOf(other)
}

/** The event records of a bioprocess; what is no record is left out. */
export function eventsOf({ events }: Row): TimedEvent[] {
  const records = Array.isArray(events) ? events.filter(isRecord) : []
  return records.map((event) => ({ event, time: timeOf(event) }))
}
