import { type Mutant, wrapper } from '../mutant.ts'
import {
  all,
  envelopeOf,
  filtered,
  from,
  matches,
  onResult,
  onSql,
  refuse,
  type Row,
  sqlOf,
  star,
  subquery,
} from './helpers.ts'

const MAXIMUM = /\(\s*select\s+max\s*\(\s*last_updated_at\s*\)\s+from\s+(\w+)\s*\)/i

const maximum = matches(MAXIMUM)
const newer = all(from('v_timeseries'), matches(/\bfrom\s+v_bioprocesses\b/i), maximum)

/** Another scalar subquery. */
const scalar = (change: (view: string) => string, where = maximum): Mutant['wrap'] =>
  onSql(MAXIMUM, (_, view) => `(${change(view ?? '')})`, where)
const firstBy = (rows: Row[], keyOf: (row: Row) => unknown) => {
  const seen = new Set<unknown>()
  return rows.filter((row) => seen.size < seen.add(keyOf(row)).size)
}

export const deltaMaximumMutants: readonly Mutant[] = [
  {
    id: 'blind-updates-unknown-for-experiments',
    breaks: 'REQ-DELTA-1',
    defect: 'v_experiments has no last_updated_at.',
    wrap: refuse(all(from('v_experiments'), matches(/last_updated_at/i))),
  },
  {
    id: 'blind-updates-not-selectable',
    breaks: 'REQ-DELTA-1',
    defect: 'last_updated_at of quantities can be filtered on, but not selected by its name.',
    wrap: refuse(all(from('v_quantities'), matches(/^\s*select\s[^>]*last_updated_at[^>]*\sfrom\b/i))),
  },
  {
    id: 'blind-updates-named-modified',
    breaks: 'REQ-DELTA-1',
    defect: 'last_updated_at of formula results is named modified_at.',
    wrap: (fetch) =>
      refuse(all(from('v_formula_results'), matches(/last_updated_at/i)))(
        onResult(
          (rows) => rows.map(({ last_updated_at: modified_at, ...row }) => ({ ...row, modified_at })),
          all(from('v_formula_results'), star),
        )(fetch),
      ),
  },
  {
    id: 'blind-maximum-in-milliseconds',
    breaks: 'REQ-DELTA-2',
    defect: 'A scalar subquery loses its microseconds, so the newest rows pass their own bound.',
    wrap: scalar((view) => `SELECT date_trunc('milliseconds', MAX(last_updated_at)) FROM ${view}`),
  },
  {
    id: 'blind-maximum-of-the-day',
    breaks: 'REQ-DELTA-2',
    defect: 'A scalar subquery is cut to the day.',
    wrap: scalar((view) => `SELECT date_trunc('day', MAX(last_updated_at)) FROM ${view}`),
  },
  {
    id: 'blind-maximum-as-minimum',
    breaks: 'REQ-DELTA-2',
    defect: 'MAX reads the first entry of an ascending index, which is the minimum.',
    wrap: scalar((view) => `SELECT MIN(last_updated_at) FROM ${view}`),
  },
  {
    id: 'blind-maximum-from-lagging-replica',
    breaks: 'REQ-DELTA-2',
    defect: 'The scalar subquery runs on a replica that is an hour behind.',
    wrap: scalar((view) => `SELECT MAX(last_updated_at) - interval '1 hour' FROM ${view}`),
  },
  {
    id: 'blind-empty-delta-returns-newest',
    breaks: 'REQ-DELTA-2',
    defect: 'A delta that finds nothing returns the newest row as a bookmark.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      const envelope = await envelopeOf(response)
      if (!filtered(call) || envelope?.status.state !== 'success' || envelope.data.length > 0) return response
      const newest = sqlOf(call).replace(/\bwhere\b.*$/is, 'ORDER BY last_updated_at DESC LIMIT 1')
      return next({ ...call, statement: newest })
    }),
  },
  {
    id: 'blind-newer-than-completed',
    breaks: 'REQ-DELTA-7',
    defect: 'The maximum in the documented delta covers only completed bioprocesses.',
    wrap: scalar((view) => `SELECT MAX(last_updated_at) FROM ${view} WHERE status = 'Completed'`, newer),
  },
  {
    id: 'blind-newer-than-itself',
    breaks: 'REQ-DELTA-7',
    defect: 'The subquery is resolved against the outer view, so no series is newer than the maximum.',
    wrap: scalar(() => 'SELECT MAX(last_updated_at) FROM v_timeseries', newer),
  },
  {
    id: 'blind-newer-one-series-per-run',
    breaks: 'REQ-DELTA-7',
    defect: 'The documented delta returns one series for each bioprocess.',
    wrap: onResult((rows) => firstBy(rows, (row) => row['bioprocess_id'] ?? row), newer),
  },
  {
    id: 'blind-newer-last-row-lost',
    breaks: 'REQ-DELTA-7',
    defect: 'The last of several series of the documented delta is lost.',
    wrap: onResult((rows) => (rows.length > 1 ? rows.slice(0, -1) : rows), all(newer, subquery)),
  },
  {
    id: 'blind-newer-without-unitless-series',
    breaks: 'REQ-DELTA-7',
    defect: 'The documented delta leaves out series whose unit is empty.',
    wrap: onResult((rows) => rows.filter((row) => row['unit'] !== ''), newer),
  },
  {
    id: 'blind-newer-than-yesterday',
    breaks: 'REQ-DELTA-7',
    defect: 'The maximum of the bioprocesses is cached for a day.',
    wrap: scalar((view) => `SELECT MAX(last_updated_at) - interval '1 day' FROM ${view}`, newer),
  },
  {
    id: 'blind-newer-than-latest-end',
    breaks: 'REQ-DELTA-7',
    defect: 'The maximum is taken over the planned ends of the bioprocesses.',
    wrap: scalar((view) => `SELECT MAX(end_timestamp) FROM ${view}`, newer),
  },
]
