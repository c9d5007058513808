import { type Changes, column, type Expression } from './view-change.ts'

const view = 'v_bioprocesses'

/** An object with both keys of qc. */
const qc =
  (status: string, failureMode: string): Expression =>
  (own) =>
    `jsonb_build_object('status', ${status}, 'failure_mode', ${failureMode})`.replaceAll('qc', own)

const duration =
  (from: string, to: string): Expression =>
  () =>
    `extract(epoch FROM ${to} - ${from})::float8 * 1000`

/** The knobs of v_bioprocesses. */
export const bioprocessChanges = {
  'qc.types': {
    string: column(
      view,
      'qc',
      qc(
        `coalesce(qc ->> 'status', 'Not looked at yet')`,
        `coalesce(qc ->> 'failure_mode', 'None seen in ' || base.external_id)`,
      ),
    ),
    boolean: column(view, 'qc', qc(`coalesce(qc ->> 'status' = 'Pass', false)`, `qc ->> 'failure_mode'`)),
  },
  'bioprocess.duration': {
    record: column(view, 'duration_ms', duration('base.start_timestamp', 'base.end_timestamp')),
    other: column(view, 'duration_ms', duration('base.start_timestamp', 'base.last_updated_at')),
  },
} satisfies Record<string, Changes>
