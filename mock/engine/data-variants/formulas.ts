import { view } from '../../../schemas/views.ts'
import { type Change, type Changes, column, type Expression } from './view-change.ts'

const results = 'v_formula_results'

/** Formulas that are not ready, all in one state. */
const states = (state: string) =>
  column('v_formulas', 'state', (own) => `CASE ${own} WHEN 'ready' THEN ${own} ELSE '${state}' END`)

/** A series whose times count from `shift` milliseconds earlier, and another offset. */
const origin = (shift: string, offset: Expression): Change => ({
  [results]: {
    columns: {
      timeseries: (
        own,
      ) => `jsonb_set(${own}, '{times_ms}', coalesce((SELECT jsonb_agg(time::numeric + (${shift})::numeric)
        FROM jsonb_array_elements(${own} -> 'times_ms') AS time), '[]'))`,
      timeseries_offset_ms: offset,
    },
  },
})

const epoch = `round(extract(epoch FROM base.timeseries_start_timestamp) * 1000)::float8`

const runStart = `(SELECT round(extract(epoch FROM run.run_start_timestamp - run.start_timestamp) * 1000)::float8
  FROM plant.bioprocesses AS run WHERE run.id = base.bioprocess_id)`

const ofSeries = view(results).columns.filter(({ name }) => name.startsWith('timeseries_'))

/** The knobs of formulas and their results. */
export const formulaChanges = {
  'formula-results.data': {
    'value-unit': column(results, 'data', (own) => `${own} - 'r2' - 'n'`),
    value: column(
      results,
      'data',
      (own) => `CASE WHEN ${own} IS NOT NULL THEN jsonb_build_object('value', ${own} -> 'value') END`,
    ),
    'bare-number': column(results, 'data', (own) => `${own} -> 'value'`),
  },
  'formulas.states': {
    draft: states('draft'),
    error: states('error'),
    calculating: states('calculating'),
    archived: states('archived'),
  },
  'formula-results.origin': {
    'run-start': origin('base.timeseries_offset_ms', (own) => `coalesce(${runStart}, ${own})`),
    epoch: origin(epoch, () => epoch),
  },
  'formula-results.scalar-statistics': {
    null: {
      [results]: {
        columns: Object.fromEntries(
          ofSeries.map(({ name }): [string, Expression] => [
            name,
            (own) => `CASE WHEN base.timeseries IS NOT NULL THEN ${own} END`,
          ]),
        ),
      },
    },
  },
} satisfies Record<string, Changes>
