import { changeViews, column, eachItem, milliseconds } from '../view-change.ts'

/** Puts other keys in place of those that hold the kind and the time of an event. */
const events = (keys: string) =>
  column('v_bioprocesses', 'events', (own) => eachItem(own, `item - 'type' - 'timestamp' || ${keys}`))

const sinceRunStart = milliseconds('base.run_start_timestamp', `(item ->> 'timestamp')::timestamptz`)

export const eventDiscriminator = changeViews('events.discriminator', {
  'type-timestamp': undefined,
  'kind-time': events(`jsonb_build_object('kind', item -> 'type', 'time', item -> 'timestamp')`),
  'typename-timestamp': events(
    `jsonb_build_object('__typename', item -> 'type', 'timestamp', item -> 'timestamp')`,
  ),
  'event-type-time-ms': events(
    `jsonb_build_object('event_type', item -> 'type', 'time_ms', ${sinceRunStart})`,
  ),
  'none-timestamp': events(`jsonb_build_object('timestamp', item -> 'timestamp')`),
})
