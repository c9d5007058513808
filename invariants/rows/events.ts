import { isRecord, type Row } from './row.ts'
import { microsOf, type Micros } from './instant.ts'

/** An event and its time; NaN where it has none. */
export interface TimedEvent {
  event: Row
  time: Micros
}

/** A date and at least hours: a lot number of eight digits is not a time. */
const withTime = /^\d{4}-\d\d-\d\d[T ]\d\d/

/**
 * The time of an event: its `timestamp`, or else the first time under any key, because the contract does not name the
 * key.
 */
export function timeOf(event: Row): Micros {
  const own = microsOf(event['timestamp'])
  if (!Number.isNaN(own)) return own
  const other = Object.values(event).find((value) => typeof value === 'string' && withTime.test(value))
  return microsOf(other)
}

/** The events of a bioprocess; values that are not objects are left out. */
export function eventsOf({ events }: Row): TimedEvent[] {
  const records = Array.isArray(events) ? events.filter(isRecord) : []
  return records.map((event) => ({ event, time: timeOf(event) }))
}
