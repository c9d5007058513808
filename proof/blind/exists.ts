import { errorReply, type Mutant, wrapper } from '../mutant.ts'
import {
  all,
  every,
  from,
  html,
  isObject,
  joined,
  matches,
  named,
  not,
  onResult,
  onSql,
  refuse,
  type Row,
  sqlOf,
  star,
  viewOf,
} from './helpers.ts'

const missing = (view: string) =>
  refuse(matches(new RegExp(`\\b${view}\\b`, 'i')), `relation "${view}" does not exist`)

/** The statement names a column of a view, as the name of a column to select. */
const names = (view: string, column: string) =>
  all(from(view), named, matches(new RegExp(`^\\s*select\\b[^;]*\\b${column}\\b[^;]*\\bfrom\\b`, 'i')))

/** A column with another name: refused by its documented name, and renamed in every row. */
const renamed = (view: string, column: string, name: string): Mutant['wrap'] => {
  const rows = onResult(
    (rows) =>
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key === column ? name : key, value])),
      ),
    all(from(view), not(joined)),
  )
  const refusal = refuse(names(view, column))
  return (fetch) => refusal(rows(fetch))
}

const cutTo = (length: number) => (row: Row) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key.slice(0, length), value]))

export const existsMutants: readonly Mutant[] = [
  {
    id: 'blind-archived-records-not-deployed',
    breaks: 'REQ-VIEW-EXISTS:v_archived_records',
    defect: 'The migration that creates v_archived_records has not run.',
    wrap: missing('v_archived_records'),
  },
  {
    id: 'blind-experiments-under-parents',
    breaks: 'REQ-VIEW-EXISTS:v_experiments',
    defect: 'The parents are in a view named v_parents, and v_experiments does not exist.',
    wrap: missing('v_experiments'),
  },
  {
    id: 'blind-formula-results-broken-view',
    breaks: 'REQ-VIEW-EXISTS:v_formula_results',
    defect: 'v_formula_results refers to a dropped table, so every statement on it fails.',
    wrap: refuse(matches(/\bv_formula_results\b/i)),
  },
  {
    id: 'blind-points-crash-worker',
    breaks: 'REQ-VIEW-EXISTS:v_timeseries_data',
    defect: 'Every statement on v_timeseries_data ends with the error page of the application server.',
    wrap: wrapper(async (call, next) =>
      viewOf(call) === 'v_timeseries_data' ? html(500, 'Internal Server Error') : next(call),
    ),
  },
  {
    id: 'blind-quantities-name-cut',
    breaks: 'REQ-VIEW-EXISTS:v_quantities',
    defect: 'v_quantities is published as v_quantity, so its documented name is unknown.',
    wrap: missing('v_quantities'),
  },
  {
    id: 'blind-formulas-on-one-replica',
    breaks: 'REQ-VIEW-EXISTS:v_formulas',
    defect: 'v_formulas exists only on one of two replicas.',
    wrap: every(
      2,
      wrapper(async (call, next) =>
        viewOf(call) === 'v_formulas' ? errorReply('relation "v_formulas" does not exist') : next(call),
      ),
    ),
  },
  {
    id: 'blind-bioprocesses-only-in-joins',
    breaks: 'REQ-VIEW-EXISTS:v_bioprocesses',
    defect: 'v_bioprocesses can be joined, but is unknown as the only view of a statement.',
    wrap: refuse(all(from('v_bioprocesses'), not(joined)), 'relation "v_bioprocesses" does not exist'),
  },
  {
    id: 'blind-view-name-cut-to-25',
    breaks: 'REQ-VIEW-EXISTS:v_bioprocess_quantity_data',
    defect: 'Names are cut to 25 characters, so the view with the longest name is unknown.',
    wrap: onSql(/\b(v_\w{23})\w+/gi, '$1'),
  },
  {
    id: 'blind-timeseries-needs-prefix',
    breaks: 'REQ-VIEW-EXISTS:v_timeseries',
    defect: 'The gateway knows the view only under a prefix, so the bare name v_timeseries is refused.',
    wrap: refuse(all(from('v_timeseries'), not(matches(/\.\s*v_timeseries\b/i)))),
  },
  {
    id: 'blind-view-found-by-prefix',
    breaks: 'REQ-VIEW-COLUMNS:v_timeseries_data',
    defect: 'Views are looked up by the beginning of their name: v_timeseries_data is read as v_timeseries.',
    wrap: onSql(/\bv_timeseries_data\b/gi, 'v_timeseries'),
  },
  {
    id: 'blind-quantity-data-without-measurement-info',
    breaks: 'REQ-VIEW-COLUMNS:v_bioprocess_quantity_data',
    defect: 'measurement_info is named measurement_information.',
    wrap: renamed('v_bioprocess_quantity_data', 'measurement_info', 'measurement_information'),
  },
  {
    id: 'blind-ingestion-unit-misspelt',
    breaks: 'REQ-VIEW-COLUMNS:v_quantities',
    defect: 'default_ingestion_unit is spelt default_injestion_unit.',
    wrap: renamed('v_quantities', 'default_ingestion_unit', 'default_injestion_unit'),
  },
  {
    id: 'blind-timestamp-is-reserved',
    breaks: 'REQ-VIEW-COLUMNS:v_timeseries_data',
    defect: 'The SQL parser takes the column timestamp for a type and refuses it without quotes.',
    wrap: refuse(
      names('v_timeseries_data', 'timestamp'),
      'JSON decode error: syntax error at or near "timestamp"',
    ),
  },
  {
    id: 'blind-data-is-reserved',
    breaks: 'REQ-VIEW-COLUMNS:v_formula_results',
    defect: 'The allow-list of the gateway blocks the word data as a column of v_formula_results.',
    wrap: refuse(names('v_formula_results', 'data')),
  },
  {
    id: 'blind-column-names-30-characters',
    breaks: 'REQ-VIEW-COLUMNS:v_formula_results',
    defect: 'The database keeps 30 characters of a column name: longer names are refused and cut in rows.',
    wrap: (fetch) =>
      refuse((call) => /\w{31}/.test(sqlOf(call)))(
        onResult((rows) => rows.map(cutTo(30)), from('v_formula_results'))(fetch),
      ),
  },
  {
    id: 'blind-lineage-needs-permission-flag',
    breaks: 'REQ-VIEW-COLUMNS:v_bioprocesses',
    defect: 'lineage is behind a feature flag and unknown to the view.',
    wrap: refuse(names('v_bioprocesses', 'lineage')),
  },
  {
    id: 'blind-interpolation-flag-renamed',
    breaks: 'REQ-VIEW-COLUMNS:v_formulas',
    defect: 'disable_interpolation is served as interpolation_disabled.',
    wrap: renamed('v_formulas', 'disable_interpolation', 'interpolation_disabled'),
  },
  {
    id: 'blind-statistics-in-single-columns',
    breaks: 'REQ-VIEW-COLUMNS:v_timeseries',
    defect: 'statistics is flattened into one column per value and cannot be selected by its name.',
    wrap: (fetch) =>
      refuse(names('v_timeseries', 'statistics'))(
        onResult(
          (rows) =>
            rows.map(({ statistics, ...row }) => ({
              ...row,
              ...(isObject(statistics)
                ? Object.fromEntries(
                    Object.entries(statistics).map(([key, value]) => [`statistics_${key}`, value]),
                  )
                : {}),
            })),
          all(from('v_timeseries'), star, not(joined)),
        )(fetch),
      ),
  },
  {
    id: 'blind-archived-at-without-name',
    breaks: 'REQ-VIEW-COLUMNS:v_archived_records',
    defect: 'archived_at is computed by an expression without an alias, so its key is ?column?.',
    wrap: onResult(
      (rows) =>
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([key, value]) => [key === 'archived_at' ? '?column?' : key, value]),
          ),
        ),
      from('v_archived_records'),
    ),
  },
  {
    id: 'blind-experiments-schedule-as-range',
    breaks: 'REQ-VIEW-COLUMNS:v_experiments',
    defect: 'Both ends of a schedule are in one column named schedule, and unknown by their own names.',
    wrap: (fetch) =>
      refuse(names('v_experiments', 'scheduled_(?:start|end)_timestamp'))(
        onResult(
          (rows) =>
            rows.map(({ scheduled_start_timestamp: start, scheduled_end_timestamp: end, ...row }) => ({
              ...row,
              schedule: { start, end },
            })),
          all(from('v_experiments'), star, not(joined)),
        )(fetch),
      ),
  },
]
