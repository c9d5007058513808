import { type Mutant, onObjects, without } from '../mutant.ts'
import { every, filtered, isObject, joined, named, onCells, onValues, star } from './helpers.ts'

const RUNS = 'v_bioprocesses'
const qc = (rewrite: (value: Record<string, unknown>) => unknown) =>
  onCells(RUNS, 'qc', (value) => (isObject(value) ? rewrite(value) : value))

export const objectMutants: readonly Mutant[] = [
  {
    id: 'blind-status-enum-name',
    breaks: 'REQ-VIEW-ENUM-1',
    defect: 'A running process has the name of the constant, IN_PROGRESS, as its status.',
    wrap: onCells(RUNS, 'status', (value) => (value === 'In-progress' ? 'IN_PROGRESS' : value)),
  },
  {
    id: 'blind-status-padded',
    breaks: 'REQ-VIEW-ENUM-1',
    defect: 'The status comes from a column of fixed width and ends with spaces.',
    wrap: onCells(RUNS, 'status', (value) => String(value).padEnd(11)),
  },
  {
    id: 'blind-status-after-failed-qc',
    breaks: 'REQ-VIEW-ENUM-1',
    defect: 'A run that failed quality control has the status Failed.',
    wrap: onCells(RUNS, 'status', (value, { row }) =>
      isObject(row['qc']) && row['qc']['status'] === 'Fail' ? 'Failed' : value,
    ),
  },
  {
    id: 'blind-status-lower-case-joined',
    breaks: 'REQ-VIEW-ENUM-1',
    defect: 'In a join the status is in lower case.',
    wrap: onValues((value, key) => (key === 'status' ? String(value).toLowerCase() : value), joined),
  },
  {
    id: 'blind-status-translated',
    breaks: 'REQ-VIEW-ENUM-1',
    defect: 'A SELECT of named columns returns the label of a draft in the language of the site, Entwurf.',
    wrap: onCells(RUNS, 'status', (value) => (value === 'Draft' ? 'Entwurf' : value), named),
  },
  {
    id: 'blind-legacy-data-filled',
    breaks: 'REQ-VIEW-DATA-EMPTY',
    defect: 'Runs from before 20 December 2025 still have their scalar values in data.',
    wrap: onCells(
      RUNS,
      'data',
      (value, { row }) =>
        String(row['start_timestamp']) < '2025-12-20' ? [{ quantity: 'pH', value: 6.9 }] : value,
      star,
    ),
  },
  {
    id: 'blind-legacy-data-null-item',
    breaks: 'REQ-VIEW-DATA-EMPTY',
    defect: 'An aggregate over no rows puts one null into data.',
    wrap: onCells(RUNS, 'data', () => [null]),
  },
  {
    id: 'blind-legacy-data-last-row',
    breaks: 'REQ-VIEW-DATA-EMPTY',
    defect: 'The last row of a result has an empty object in data.',
    wrap: onCells(RUNS, 'data', (value, { index, rows }) => (index === rows.length - 1 ? [{}] : value)),
  },
  {
    id: 'blind-legacy-data-when-named',
    breaks: 'REQ-VIEW-DATA-EMPTY',
    defect: 'data is loaded lazily: naming the column returns the old values.',
    wrap: onCells(RUNS, 'data', () => [{ name: 'Strain', value: 'BL21(DE3)' }], named),
  },
  {
    id: 'blind-legacy-data-in-join',
    breaks: 'REQ-VIEW-DATA-EMPTY',
    defect: 'A join fills data with the ids of the joined series.',
    wrap: onValues((value, key, { row }) => (key === 'data' ? [row['id']] : value), joined),
  },
  {
    id: 'blind-qc-failure-mode-when-passed',
    breaks: 'REQ-VIEW-QC',
    defect: 'failure_mode is left out of qc when the run passed.',
    wrap: qc((value) => (value['status'] === 'Pass' ? without(value, 'failure_mode') : value)),
  },
  {
    id: 'blind-qc-camel-case',
    breaks: 'REQ-VIEW-QC',
    defect: 'The key failure_mode is written failureMode in a delta.',
    wrap: onCells(
      RUNS,
      'qc',
      (value) => (isObject(value) ? { status: value['status'], failureMode: value['failure_mode'] } : value),
      filtered,
    ),
  },
  {
    id: 'blind-qc-empty-before-review',
    breaks: 'REQ-VIEW-QC',
    defect: 'qc is {} until the run is reviewed, because nulls are removed from objects.',
    wrap: qc((value) => (value['status'] === null ? {} : value)),
  },
  {
    id: 'blind-qc-nested',
    breaks: 'REQ-VIEW-QC',
    defect: 'Both keys are one level deeper, in a member named result.',
    wrap: qc((value) => ({ result: value })),
  },
  {
    id: 'blind-qc-nulls-stripped-in-join',
    breaks: 'REQ-VIEW-QC',
    defect: 'A join removes null members from qc.',
    wrap: onValues(
      (value, key) =>
        key === 'qc' && isObject(value)
          ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
          : value,
      joined,
    ),
  },
  {
    id: 'blind-statistics-sum-null',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'sum is null for a series without values, as SQL aggregates return it.',
    wrap: onObjects('statistics', (value) => (value['count'] === 0 ? { ...value, sum: null } : value)),
  },
  {
    id: 'blind-statistics-count-text',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'A count of three digits or more is a string.',
    wrap: onObjects('statistics', (value) =>
      Number(value['count']) > 99 ? { ...value, count: String(value['count']) } : value,
    ),
  },
  {
    id: 'blind-statistics-short-names',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'arithmetic_mean and standard_deviation are named mean and std.',
    wrap: onObjects('statistics', ({ arithmetic_mean: mean, standard_deviation: std, ...rest }) => ({
      ...rest,
      mean,
      std,
    })),
  },
  {
    id: 'blind-statistics-nulls-removed',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'Members that are null are removed from statistics.',
    wrap: onObjects('statistics', (value) =>
      Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)),
    ),
  },
  {
    id: 'blind-statistics-deviation-not-late',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'From the 201st row on, statistics has no standard_deviation.',
    wrap: onCells('v_timeseries', 'statistics', (value, { index }) =>
      index >= 200 && isObject(value) ? without(value, 'standard_deviation') : value,
    ),
  },
  {
    id: 'blind-statistics-first-with-time',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'first and last are objects with time and value.',
    wrap: onObjects('statistics', (value) => ({
      ...value,
      first: { time: null, value: value['first'] },
      last: { time: null, value: value['last'] },
    })),
  },
  {
    id: 'blind-statistics-rounded-text',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'In each second answer the mean is a string with two digits after the point.',
    wrap: every(
      2,
      onObjects('statistics', (value) => ({
        ...value,
        arithmetic_mean: Number(value['arithmetic_mean']).toFixed(2),
      })),
    ),
  },
]
