import { type Mutant } from '../mutant.ts'
import {
  all,
  every,
  from,
  limited,
  matches,
  named,
  not,
  onResult,
  onSql,
  remembering,
  type Row,
  sqlOf,
  star,
} from './helpers.ts'

const LITERAL = /(\blast_updated_at\s*>\s*)'([^']+)'/i

const DAY = 86_400_000
const literal = matches(LITERAL)

/** Another date literal. */
const bound = (change: (text: string) => string, where = literal): Mutant['wrap'] =>
  onSql(LITERAL, (_, before, text) => `${before}'${change(text ?? '')}'`, where)
const shifted = (days: number) => (text: string) =>
  Number.isNaN(Date.parse(text)) ? text : new Date(Date.parse(text) + days * DAY).toISOString()

const firstBy = (rows: Row[], keyOf: (row: Row) => unknown) => {
  const seen = new Set<unknown>()
  return rows.filter((row) => seen.size < seen.add(keyOf(row)).size)
}

export const deltaMutants: readonly Mutant[] = [
  {
    id: 'blind-literal-month-from-zero',
    breaks: 'REQ-DELTA-6',
    defect: 'The month of a date literal counts from zero, so the bound is a month late.',
    wrap: bound(shifted(31)),
  },
  {
    id: 'blind-literal-day-and-month-exchanged',
    breaks: 'REQ-DELTA-6',
    defect: 'Day and month of a date literal are exchanged where both are possible.',
    wrap: bound((text) => text.replace(/-(0\d|1[0-2])-(0\d|1[0-2])/, '-$2-$1')),
  },
  {
    id: 'blind-literal-year-only',
    breaks: 'REQ-DELTA-6',
    defect: 'Only the year of a date literal is compared.',
    wrap: bound((text) => text.replace(/^(\d{4})-\d\d-\d\d.*/, '$1-01-01')),
  },
  {
    id: 'blind-literal-week-early',
    breaks: 'REQ-DELTA-6',
    defect: 'A safety margin of a week is subtracted from every date literal.',
    wrap: bound(shifted(-7)),
  },
  {
    id: 'blind-change-log-reaches-back-two-weeks',
    breaks: 'REQ-DELTA-6',
    defect: 'The change log starts on 15 December 2025; a delta since an earlier date loses what is older.',
    wrap: bound((text) => (text < '2025-12-15' ? '2025-12-15' : text)),
  },
  {
    id: 'blind-delta-one-row-per-time',
    breaks: 'REQ-DELTA-6',
    defect: 'Of rows that share one last_updated_at, a delta returns only the first.',
    wrap: onResult((rows) => firstBy(rows, (row) => row['last_updated_at'] ?? row), all(literal, star)),
  },
  {
    id: 'blind-delta-cached-by-view',
    breaks: 'REQ-DELTA-6',
    defect: 'Deltas are cached by their view: a later literal gets the result of the first one.',
    wrap: remembering(
      () => new Map<string, string>(),
      async (seen, call, next) => {
        if (!literal(call)) return next(call)
        const key = sqlOf(call).replace(LITERAL, '')
        const statement = seen.get(key) ?? sqlOf(call)
        seen.set(key, statement)
        return next({ ...call, statement })
      },
    ),
  },
  {
    id: 'blind-delta-turned-for-results',
    breaks: 'REQ-DELTA-6',
    defect: 'The operands of the comparison are exchanged for formula results, which returns older rows.',
    wrap: onSql(LITERAL, "last_updated_at < '$2'", from('v_formula_results')),
  },
  {
    id: 'blind-delta-by-start',
    breaks: 'REQ-DELTA-6',
    defect: 'A delta of bioprocesses or series compares the start instead of the last update.',
    wrap: onSql(
      LITERAL,
      (_, __, text) => `start_timestamp > '${text}'`,
      from('v_bioprocesses', 'v_timeseries'),
    ),
  },
  {
    id: 'blind-delta-limit-first',
    breaks: 'REQ-DELTA-6',
    defect: 'LIMIT is applied before the filter, so a delta misses rows that it has room for.',
    wrap: onSql(
      /\bfrom\s+(\w+)\s+(where\b.*?)\s+(limit\s+\d+)/is,
      'FROM (SELECT * FROM $1 $3) AS $1 $2',
      literal,
    ),
  },
  {
    id: 'blind-delta-without-orphans',
    breaks: 'REQ-DELTA-6',
    defect: 'A delta of bioprocesses leaves out runs without a parent.',
    wrap: onSql(LITERAL, "parent_id IS NOT NULL AND last_updated_at > '$2'", from('v_bioprocesses')),
  },
  {
    id: 'blind-delta-last-row-lost',
    breaks: 'REQ-DELTA-6',
    defect: 'The last row of a delta is lost.',
    wrap: onResult((rows) => rows.slice(0, -1), all(literal, not(limited))),
  },
  {
    id: 'blind-delta-unfiltered-when-named',
    breaks: 'REQ-DELTA-6',
    defect: 'The filter on a date literal has no effect on a SELECT of named columns.',
    wrap: bound(() => '1900-01-01', all(literal, named)),
  },
  {
    id: 'blind-delta-only-finished',
    breaks: 'REQ-DELTA-6',
    defect: 'A delta of bioprocesses holds only runs that are completed.',
    wrap: onSql(LITERAL, "status = 'Completed' AND last_updated_at > '$2'", from('v_bioprocesses')),
  },
  {
    id: 'blind-delta-unfiltered-sometimes',
    breaks: 'REQ-DELTA-6',
    defect: 'In each third answer a date literal is ignored.',
    wrap: every(
      3,
      bound(() => '1900-01-01'),
    ),
  },
  {
    id: 'blind-delta-without-unitless-values',
    breaks: 'REQ-DELTA-6',
    defect: 'A delta of scalar values or quantities leaves out rows whose unit is empty.',
    wrap: onResult(
      (rows) => rows.filter((row) => row['unit'] !== '' && row['default_unit'] !== ''),
      all(literal, from('v_bioprocess_quantity_data', 'v_quantities')),
    ),
  },
]
