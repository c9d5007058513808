import { type Changes, column, type Expression } from './view-change.ts'

const view = 'v_bioprocesses'

/** An object with both keys of qc, from what they hold as texts. */
const qc =
  (of: (status: string, failureMode: string) => [status: string, failureMode: string]): Expression =>
  (own) => {
    const [status, failureMode] = of(`(${own} ->> 'status')`, `(${own} ->> 'failure_mode')`)
    return `jsonb_build_object('status', ${status}, 'failure_mode', ${failureMode})`
  }

const milliseconds = (from: string, to: string) => `round(extract(epoch FROM ${to} - ${from}) * 1000)::float8`

/** A list made of the items of another, in their order. */
const each = (list: string, item: string) =>
  `coalesce((SELECT jsonb_agg(${item}) FROM jsonb_array_elements(${list}) AS item), '[]')`

const url = `'https://files.example/' || (item ->> 'id')`

/** Renames what tells the kind and the time of an event. */
const events =
  (of: string): Expression =>
  (own) =>
    each(own, `item - 'type' - 'timestamp' || ${of}`)

const parents = `jsonb_path_query_array(base.lineage, '$.parents[*].bioprocess_id')`

const children = `(SELECT coalesce(jsonb_agg(child.id), '[]') FROM plant.bioprocesses AS child
  WHERE child.lineage @> jsonb_build_object('parents',
    jsonb_build_array(jsonb_build_object('bioprocess_id', base.id))))`

/** Parents, their parents and so on, the nearest first. */
const ancestors = `(WITH RECURSIVE line(id, distance) AS (
    SELECT parent #>> '{}', 1 FROM jsonb_array_elements(${parents}) AS parent
    UNION
    SELECT parent #>> '{}', distance + 1 FROM line JOIN plant.bioprocesses AS older ON older.id = line.id,
      jsonb_path_query(older.lineage, '$.parents[*].bioprocess_id') AS parent WHERE distance < 100
  ) SELECT coalesce(jsonb_agg(id ORDER BY distance, id), '[]') FROM line)`

/** Nothing where nothing is recorded. */
const recorded =
  (value: string): Expression =>
  () =>
    `CASE WHEN base.lineage IS NOT NULL THEN ${value} END`

/** The knobs of v_bioprocesses. */
export const bioprocessChanges = {
  'qc.types': {
    string: column(
      view,
      'qc',
      qc((status, mode) => [
        `coalesce(${status}, 'Not looked at')`,
        `coalesce(${mode}, 'None seen in ' || base.external_id)`,
      ]),
    ),
    enum: column(
      view,
      'qc',
      qc((status, mode) => [
        `coalesce(lower(${status}), 'pending')`,
        `CASE WHEN ${mode} IS NULL THEN 'none' ELSE 'process' END`,
      ]),
    ),
    boolean: column(
      view,
      'qc',
      qc((status, mode) => [`coalesce(${status} = 'Pass', false)`, mode]),
    ),
    object: column(
      view,
      'qc',
      qc((status, mode) => [
        `jsonb_build_object('value', ${status}, 'by', 'QC')`,
        `jsonb_build_object('value', ${mode}, 'seen', ${mode} IS NOT NULL)`,
      ]),
    ),
  },
  // before the induction, which may be a copy of one
  'events.discriminator': {
    'kind-time': column(
      view,
      'events',
      events(`jsonb_build_object('kind', item -> 'type', 'time', item -> 'timestamp')`),
    ),
    'typename-timestamp': column(
      view,
      'events',
      events(`jsonb_build_object('__typename', item -> 'type', 'timestamp', item -> 'timestamp')`),
    ),
    'event-type-time-ms': column(
      view,
      'events',
      events(
        `jsonb_build_object('event_type', item -> 'type', 'time_ms', ${milliseconds(
          'base.run_start_timestamp',
          `(item ->> 'timestamp')::timestamptz`,
        )})`,
      ),
    ),
    'none-timestamp': column(view, 'events', events(`jsonb_build_object('timestamp', item -> 'timestamp')`)),
  },
  'induction.shape': {
    null: column(view, 'induction_event', () => 'NULL::jsonb'),
    'event-record': column(
      view,
      'induction_event',
      (own, of) =>
        `(SELECT item FROM jsonb_array_elements(${of('events')}) AS item WHERE item -> 'id' = ${own} -> 'event_id')`,
    ),
    'json-text': column(view, 'induction_event', (own) => `to_jsonb(${own}::text)`),
  },
  'attachments.shape': {
    url: column(view, 'attachments', (own) => each(own, `to_jsonb(${url})`)),
    'id-name-url': column(view, 'attachments', (own) =>
      each(own, `jsonb_build_object('id', item -> 'id', 'name', item -> 'name', 'url', ${url})`),
    ),
    'empty-object': column(view, 'attachments', (own) => each(own, `'{}'::jsonb`)),
  },
  'lineage.shape': {
    null: column(view, 'lineage', () => 'NULL::jsonb'),
    'parents-children': column(
      view,
      'lineage',
      recorded(`jsonb_build_object('parents', ${parents}, 'children', ${children})`),
    ),
    'ancestor-ids': column(view, 'lineage', recorded(`jsonb_build_object('ancestor_ids', ${ancestors})`)),
  },
  'bioprocesses.duration': {
    record: column(view, 'duration_ms', () => milliseconds('base.start_timestamp', 'base.end_timestamp')),
    // preparation counts, what follows the run does not; a run that has not ended counts as it did
    other: column(
      view,
      'duration_ms',
      (own) => `coalesce(${milliseconds('base.start_timestamp', 'base.run_end_timestamp')}, ${own})`,
    ),
  },
} satisfies Record<string, Changes>
