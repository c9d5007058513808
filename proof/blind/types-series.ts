import { type Mutant } from '../mutant.ts'
import { filtered, isObject, named, onCells, star } from './helpers.ts'

const SERIES = 'v_timeseries'
const POINTS = 'v_timeseries_data'
const RESULTS = 'v_formula_results'

export const seriesTypeMutants: readonly Mutant[] = [
  {
    id: 'blind-series-duration-iso',
    breaks: 'REQ-VIEW-TYPES:v_timeseries',
    defect: 'duration_ms is an ISO 8601 duration such as PT110760S.',
    wrap: onCells(SERIES, 'duration_ms', (value) => `PT${Number(value) / 1000}S`),
  },
  {
    id: 'blind-series-unit-null',
    breaks: 'REQ-VIEW-TYPES:v_timeseries',
    defect: 'The unit of a series without unit is null.',
    wrap: onCells(SERIES, 'unit', (value) => value || null),
  },
  {
    id: 'blind-series-statistics-null',
    breaks: 'REQ-VIEW-TYPES:v_timeseries',
    defect: 'statistics is null for a series without values.',
    wrap: onCells(SERIES, 'statistics', (value) => (isObject(value) && value['count'] === 0 ? null : value)),
  },
  {
    id: 'blind-series-statistics-text-late',
    breaks: 'REQ-VIEW-TYPES:v_timeseries',
    defect: 'From the 101st row on, statistics is JSON text in a string.',
    wrap: onCells(SERIES, 'statistics', (value, { index }) => (index < 100 ? value : JSON.stringify(value))),
  },
  {
    id: 'blind-series-statistics-pairs',
    breaks: 'REQ-VIEW-TYPES:v_timeseries',
    defect: 'statistics is a list of pairs of name and value.',
    wrap: onCells(SERIES, 'statistics', (value) => Object.entries(value as object)),
  },
  {
    id: 'blind-series-unit-object-in-delta',
    breaks: 'REQ-VIEW-TYPES:v_timeseries',
    defect: 'In a delta, unit is an object with the symbol of the unit.',
    wrap: onCells(SERIES, 'unit', (value) => ({ symbol: value }), filtered),
  },
  {
    id: 'blind-series-end-null-when-live',
    breaks: 'REQ-VIEW-TYPES:v_timeseries',
    defect: 'The series that changed last have null as end_timestamp.',
    wrap: onCells(
      SERIES,
      'end_timestamp',
      (value, { row }) => (String(row['last_updated_at']) > '2025-12-31T23' ? null : value),
      star,
    ),
  },
  {
    id: 'blind-point-value-text',
    breaks: 'REQ-VIEW-TYPES:v_timeseries_data',
    defect: 'Values with more than three digits after the point are strings.',
    wrap: onCells(POINTS, 'value', (value) => (/\.\d{3}/.test(String(value)) ? String(value) : value)),
  },
  {
    id: 'blind-point-value-comma',
    breaks: 'REQ-VIEW-TYPES:v_timeseries_data',
    defect: 'Values are strings with a decimal comma, in the locale of the server.',
    wrap: onCells(POINTS, 'value', (value) => (value === null ? null : String(value).replace('.', ','))),
  },
  {
    id: 'blind-point-gap-nan-text',
    breaks: 'REQ-VIEW-TYPES:v_timeseries_data',
    defect: 'A gap in a series is the string "NaN".',
    wrap: onCells(POINTS, 'value', (value) => value ?? 'NaN'),
  },
  {
    id: 'blind-point-item-zero',
    breaks: 'REQ-VIEW-TYPES:v_timeseries_data',
    defect: 'A point without data_item_id has the number 0 there.',
    wrap: onCells(POINTS, 'data_item_id', (value) => value ?? 0),
  },
  {
    id: 'blind-point-time-epoch',
    breaks: 'REQ-VIEW-TYPES:v_timeseries_data',
    defect: 'In a SELECT of named columns, the time of a point is a number of milliseconds.',
    wrap: onCells(POINTS, 'timestamp', (value) => Date.parse(String(value)), named),
  },
  {
    id: 'blind-point-value-list-late',
    breaks: 'REQ-VIEW-TYPES:v_timeseries_data',
    defect: 'From the 151st row on, a value is a list of one number.',
    wrap: onCells(POINTS, 'value', (value, { index }) => (index < 150 ? value : [value])),
  },
  {
    id: 'blind-result-series-text',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'A long result series is JSON text in a string, because it is stored outside the row.',
    wrap: onCells(RESULTS, 'timeseries', (value) => {
      const text = JSON.stringify(value)
      return text.length > 1500 ? text : value
    }),
  },
  {
    id: 'blind-result-data-number',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'A single-value result is a bare number instead of an object.',
    wrap: onCells(RESULTS, 'data', (value) => (isObject(value) ? value['value'] : value)),
  },
  {
    id: 'blind-result-data-list',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'A result that is a series has [] instead of null as data.',
    wrap: onCells(RESULTS, 'data', (value) => value ?? []),
  },
  {
    id: 'blind-result-count-text',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'timeseries_statistics_count is a string, as a driver returns a count of 64 bits.',
    wrap: onCells(RESULTS, 'timeseries_statistics_count', String),
  },
  {
    id: 'blind-result-deviation-nan',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'The standard deviation of a single value is the string "NaN".',
    wrap: onCells(RESULTS, 'timeseries_statistics_standard_deviation', (value) =>
      value === 0 ? 'NaN' : value,
    ),
  },
  {
    id: 'blind-result-zero-null',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'A first value or minimum of zero is null in a result that is a series.',
    wrap: onCells(
      RESULTS,
      ['timeseries_statistics_first', 'timeseries_statistics_min'],
      (value, { row }) => (row['timeseries'] ? value || null : value),
      star,
    ),
  },
  {
    id: 'blind-result-offset-interval',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'timeseries_offset_ms is an interval text such as 00:02:00.',
    wrap: onCells(RESULTS, 'timeseries_offset_ms', (value) =>
      new Date(Number(value)).toISOString().slice(11, 19),
    ),
  },
  {
    id: 'blind-result-unit-false',
    breaks: 'REQ-VIEW-TYPES:v_formula_results',
    defect: 'The unit of the last 20 rows is false, because their formula was not loaded.',
    wrap: onCells(RESULTS, 'unit', (value, { index, rows }) => (index < rows.length - 20 ? value : false)),
  },
]
