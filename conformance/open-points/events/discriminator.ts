import { counted } from '../../../base/text/counted.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { listed, objectsIn, unlessEmpty, valuesOf } from '../reading.ts'

/** Names under which services give the kind of an event. */
const KINDS = ['type', 'kind', '__typename', 'event_type']

const have =
  (...keys: string[]) =>
  (events: readonly JsonObject[]) =>
    events.every((event) => keys.every((key) => key in event))

export const probe = defineProbe('events.discriminator', {
  read: async (t: Target) => {
    const lists = await valuesOf(t, 'v_bioprocesses', 'events')
    return unlessEmpty(objectsIn(lists.flatMap((list) => (Array.isArray(list) ? list : []))))
  },
  seen: (events) => {
    const keys = new Set(events.flatMap((event) => Object.keys(event)))
    const common = listed([...keys].filter((key) => have(key)(events)))
    return `${counted(events.length, 'record')}, each with ${common || 'no common key'}`
  },
  variants: {
    'type-timestamp': have('type', 'timestamp'),
    'kind-time': have('kind', 'time'),
    'typename-timestamp': have('__typename', 'timestamp'),
    'event-type-time-ms': have('event_type', 'time_ms'),
    'none-timestamp': (events) =>
      have('timestamp')(events) && !events.some((event) => KINDS.some((key) => key in event)),
  },
})
