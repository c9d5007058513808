import { type Mutant, without } from '../mutant.ts'
import { isObject, joined, named, onCells, onValues, type Row } from './helpers.ts'

const series = (rewrite: (value: { data: number[]; times_ms: number[] }) => unknown) =>
  onCells('v_formula_results', 'timeseries', (value) =>
    isObject(value) ? rewrite(value as unknown as { data: number[]; times_ms: number[] }) : value,
  )

const eventsOf = (value: unknown, rewrite: (event: Row, index: number, events: Row[]) => unknown) =>
  Array.isArray(value) ? value.map(rewrite) : value
const events = (rewrite: (event: Row, index: number, events: Row[]) => unknown): Mutant['wrap'] =>
  onCells('v_bioprocesses', 'events', (value) => eventsOf(value, rewrite))
/** Rewrites the records of one kind. */
const kind = (name: string, rewrite: (event: Row) => unknown) =>
  events((event) => (event['type'] === name ? rewrite(event) : event))
const volume = (rewrite: (volume: Row) => unknown) =>
  events((event) => (isObject(event['volume']) ? { ...event, volume: rewrite(event['volume']) } : event))

export const eventMutants: readonly Mutant[] = [
  {
    id: 'blind-series-times-text',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'Times beyond ten million milliseconds are strings.',
    wrap: series((value) => ({
      ...value,
      times_ms: value.times_ms.map((time) => (time > 10_000_000 ? String(time) : time)),
    })),
  },
  {
    id: 'blind-series-typed-array',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'A typed array is encoded as an object keyed by position.',
    wrap: series((value) => ({ ...value, data: { ...value.data } })),
  },
  {
    id: 'blind-series-pairs',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'data is a list of pairs of time and value.',
    wrap: series((value) => ({
      ...value,
      data: value.data.map((item, index) => [value.times_ms[index], item]),
    })),
  },
  {
    id: 'blind-series-last-null',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'A derivative has no last value, so null is appended to keep the length.',
    wrap: series((value) => ({ ...value, data: [...value.data.slice(0, -1), null] })),
  },
  {
    id: 'blind-series-base64',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'A series of more than 100 values is packed as base64 text.',
    wrap: series((value) =>
      value.data.length > 100
        ? { ...value, data: Buffer.from(Float64Array.from(value.data).buffer).toString('base64') }
        : value,
    ),
  },
  {
    id: 'blind-series-iso-times',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'times_ms is replaced by a list of timestamps named times.',
    wrap: series((value) => ({
      data: value.data,
      times: value.times_ms.map((time) => new Date(time).toISOString()),
    })),
  },
  {
    id: 'blind-series-empty-object',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'A single-value result has {} instead of null as timeseries.',
    wrap: onCells('v_formula_results', 'timeseries', (value) => value ?? {}),
  },
  {
    id: 'blind-series-zero-null-when-named',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'In a SELECT of named columns, zeros of a series become null.',
    wrap: onCells(
      'v_formula_results',
      'timeseries',
      (value) =>
        isObject(value) ? { ...value, data: (value['data'] as number[]).map((item) => item || null) } : value,
      named,
    ),
  },
  {
    id: 'blind-event-last-null',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'A list of more than ten events ends with null.',
    wrap: onCells('v_bioprocesses', 'events', (value) =>
      Array.isArray(value) && value.length > 10 ? [...value, null] : value,
    ),
  },
  {
    id: 'blind-event-as-text',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'Observations are JSON texts in a string inside the list.',
    wrap: kind('DbObservationEvent', (event) => JSON.stringify(event)),
  },
  {
    id: 'blind-event-volume-text',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'A volume is a text such as "3 mL".',
    wrap: volume((volume) => `${String(volume['value'])} ${String(volume['unit'])}`),
  },
  {
    id: 'blind-event-volume-decimal-text',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'The value of a volume with a fraction is a string.',
    wrap: volume((volume) =>
      Number.isInteger(volume['value']) ? volume : { ...volume, value: String(volume['value']) },
    ),
  },
  {
    id: 'blind-event-volume-without-unit',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'A removal has no unit in its volume.',
    wrap: kind('DbRemovalEvent', (event) => ({ ...event, volume: without(event['volume'] as Row, 'unit') })),
  },
  {
    id: 'blind-event-induction-volume-null',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'An induction has null as volume.',
    wrap: kind('DbAdditionEvent', (event) =>
      event['addition_type'] === 'Induction' ? { ...event, volume: null } : event,
    ),
  },
  {
    id: 'blind-event-type-list',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'addition_type is a list of words.',
    wrap: kind('DbAdditionEvent', (event) => ({ ...event, addition_type: [event['addition_type']] })),
  },
  {
    id: 'blind-event-sample-number',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'sample_name is the number of the sample.',
    wrap: kind('DbRemovalEvent', (event) => ({
      ...event,
      sample_name: Number(/\d+$/.exec(String(event['sample_name']))?.[0] ?? 0),
    })),
  },
  {
    id: 'blind-event-phase-end-missing',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'A phase event has time_point only at its start.',
    wrap: kind('DbBioprocessPhaseEvent', (event) =>
      event['time_point'] === 'start' ? event : without(event, 'time_point'),
    ),
  },
  {
    id: 'blind-event-last-note-null',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'Only the last observation of a run lost its note.',
    wrap: events((event, index, list) =>
      event['type'] === 'DbObservationEvent' &&
      index === list.findLastIndex((other) => other['type'] === 'DbObservationEvent')
        ? { ...event, note: null }
        : event,
    ),
  },
  {
    id: 'blind-event-phase-object-in-join',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'In a join, the phase of an event is an object with a name.',
    wrap: onValues(
      (value, key) =>
        key === 'events'
          ? eventsOf(value, (event) =>
              'phase' in event ? { ...event, phase: { name: event['phase'] } } : event,
            )
          : value,
      joined,
    ),
  },
  {
    id: 'blind-event-nulls-removed',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'Members that are null, such as reagent_name and lot_number, are removed from event records.',
    wrap: events((event) =>
      Object.fromEntries(Object.entries(event).filter(([, member]) => member !== null)),
    ),
  },
]
