import { changeViews, type Expression, type ViewChanges } from '../view-change.ts'

/** A series whose times count from `shift` milliseconds earlier, and whose offset is another one. */
const origin = (shift: string, offset: Expression): ViewChanges => ({
  v_formula_results: {
    columns: {
      timeseries: (
        own,
      ) => `jsonb_set(${own}, '{times_ms}', coalesce((SELECT jsonb_agg(time::numeric + (${shift})::numeric)
        FROM jsonb_array_elements(${own} -> 'times_ms') AS time), '[]'))`,
      timeseries_offset_ms: offset,
    },
  },
})

const epoch = `round(extract(epoch FROM base.timeseries_start_timestamp) * 1000)`

const runStart = `(SELECT round(extract(epoch FROM run.run_start_timestamp - run.start_timestamp) * 1000)
  FROM plant.bioprocesses AS run WHERE run.id = base.bioprocess_id)`

export const formulaResultOrigin = changeViews('formula-results.origin', {
  'series-start': undefined,
  'run-start': origin('base.timeseries_offset_ms', (own) => `coalesce(${runStart}, ${own})`),
  epoch: origin(epoch, () => epoch),
})
