import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import {
  canonical,
  isObject,
  parseJson,
  plain,
  typeOf,
  type Json,
  type JsonObject,
} from '../connection/json.ts'
import {
  alwaysNull,
  counted,
  haveKeys,
  keysIn,
  listed,
  objectsIn,
  rowsOf,
  tally,
  textsIn,
  theOne,
  typesOf,
  valuesOf,
} from './reading.ts'
import { msBetween, near } from './times.ts'

const VIEW = 'v_bioprocesses'

/** So many texts with so few different ones look like a fixed list of words. */
const FIXED = { texts: 20, words: 6 }

function qcTypes(qc: readonly JsonObject[]): Seen | undefined {
  if (qc.length === 0) return undefined
  const statuses = qc.map(({ status = null }) => status)
  const all = [...statuses, ...qc.map(({ failure_mode: mode = null }) => mode)]
  const types = new Set(all.map(typeOf))
  const texts = textsIn(all)
  const fixed = texts.length >= FIXED.texts && new Set(texts).size <= FIXED.words
  const seen = `status: ${typesOf(statuses)}; failure_mode: ${typesOf(all.slice(statuses.length))}`
  if (statuses.every((value) => typeOf(value) === 'boolean')) return { variant: 'boolean', seen }
  if (types.size === 1 && types.has('object')) return { variant: 'object', seen }
  if (types.size === 1 && types.has('string')) return { variant: fixed ? 'enum' : 'string', seen }
  const textOrNull = types.has('string') && types.size === 2 && types.has('null')
  return { variant: textOrNull ? 'string-or-null' : undefined, seen }
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(parseJson(text))
  } catch {
    return false
  }
}

/** Whether the induction is one of the row's own events. */
const isCopy = ({ events, induction_event: value = null }: JsonObject): boolean =>
  Array.isArray(events) && events.some((event) => canonical(event) === canonical(value))

function inductionShape(rows: readonly JsonObject[]): Seen | undefined {
  const values = rows.map(({ induction_event: value = null }) => value)
  const filled = rows.filter(({ induction_event: value = null }) => value !== null)
  const objects = objectsIn(values)
  const texts = textsIn(values)
  if (texts.length > 0)
    return { variant: texts.every(isJsonObject) ? 'json-text' : undefined, seen: typesOf(values) }
  const variant = theOne({
    timestamped: haveKeys(objects, ['event_id', 'timestamp', 'reagent_name', 'od600']),
    'event-record': filled.length > 0 && filled.every(isCopy),
  })
  return alwaysNull(values) ?? (objects.length > 0 ? { variant, seen: keysIn(objects) } : undefined)
}

function attachmentsShape(values: readonly Json[]): Seen | undefined {
  const items = values.flatMap((value) => (Array.isArray(value) ? value : []))
  const [objects, texts] = [objectsIn(items), textsIn(items)]
  if (items.length === 0) return undefined
  if (texts.length === items.length) {
    const addresses = texts.every((text) => /^([a-z][\w+.-]*:|\/|[\w-]+\.)\S*$/i.test(text))
    return { variant: addresses ? 'url' : undefined, seen: `${counted(texts.length, 'item')} of type string` }
  }
  const variant = theOne({
    'empty-object': haveKeys(objects, []),
    'id-name-url': haveKeys(objects, ['id', 'name', 'url']),
    'file-metadata': haveKeys(objects, ['id', 'name', 'mime_type', 'size_bytes', 'uploaded_at']),
  })
  return { variant, seen: keysIn(objects) }
}

function lineageShape(values: readonly Json[]): Seen | undefined {
  const objects = objectsIn(values)
  const variant = theOne({
    'parents-children': haveKeys(objects, ['parents', 'children']),
    'ancestor-ids': haveKeys(objects, ['ancestor_ids']),
    'parents-generation': haveKeys(objects, ['parents', 'generation']),
  })
  return alwaysNull(values) ?? (objects.length > 0 ? { variant, seen: keysIn(objects) } : undefined)
}

/** Names under which services tell the kind of an event, and its time. */
const KINDS = ['type', 'kind', '__typename', 'event_type']

function eventFields(values: readonly Json[]): Seen | undefined {
  const events = objectsIn(values.flatMap((value) => (Array.isArray(value) ? value : [])))
  if (events.length === 0) return undefined
  const every = (...keys: string[]) => events.every((event) => keys.every((key) => key in event))
  const variant = theOne({
    'type-timestamp': every('type', 'timestamp'),
    'kind-time': every('kind', 'time'),
    'typename-timestamp': every('__typename', 'timestamp'),
    'event-type-time-ms': every('event_type', 'time_ms'),
    'none-timestamp': every('timestamp') && !events.some((event) => KINDS.some((key) => key in event)),
  })
  const common = [...new Set(events.flatMap((event) => Object.keys(event)))].filter((key) => every(key))
  return {
    variant,
    seen: `${counted(events.length, 'record')}, each with ${listed(common) || 'no common key'}`,
  }
}

function durationBounds(rows: readonly JsonObject[]): Seen | undefined {
  const fits = rows.flatMap((row) => {
    const duration = plain(row['duration_ms'] ?? null)
    const run = msBetween(row['run_start_timestamp'], row['run_end_timestamp'])
    const record = msBetween(row['start_timestamp'], row['end_timestamp'])
    if (typeof duration !== 'number' || run === undefined || record === undefined) return []
    if (near(run, record)) return []
    return [near(run, duration) ? 'run' : near(record, duration) ? 'record' : 'other']
  })
  if (fits.length === 0) return undefined
  return { variant: new Set(fits).size === 1 ? fits[0] : undefined, seen: `in rows: ${tally(fits)}` }
}

export const bioprocessProbes: Probe[] = [
  probe({ silence: 'NS-01', observe: async (t) => qcTypes(objectsIn(await valuesOf(t, VIEW, 'qc'))) }),
  probe({ silence: 'NS-02', observe: async (t) => inductionShape(await rowsOf(t, VIEW)) }),
  probe({ silence: 'NS-03', observe: async (t) => attachmentsShape(await valuesOf(t, VIEW, 'attachments')) }),
  probe({ silence: 'NS-04', observe: async (t) => lineageShape(await valuesOf(t, VIEW, 'lineage')) }),
  probe({ silence: 'NS-22', observe: async (t) => eventFields(await valuesOf(t, VIEW, 'events')) }),
  probe({ silence: 'NS-57', observe: async (t) => durationBounds(await rowsOf(t, VIEW)) }),
]
