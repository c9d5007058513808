import { onObjects, onRows, type Mutant } from '../mutant.ts'

type Row = Record<string, unknown>

/** Rewrites a number where there is one. */
const onNumber = (row: Row, key: string, rewrite: (value: number) => number): Row =>
  typeof row[key] === 'number' ? { ...row, [key]: rewrite(row[key]) } : row

/** Rewrites the rows of statements on v_timeseries without a join. */
const onSeries = (rewrite: (row: Row) => Row): Mutant['wrap'] =>
  onRows((row, { statement = '' }) =>
    /\bfrom\s+v_timeseries\b(?!.*\bjoin\b)/i.test(statement) ? rewrite(row) : row,
  )

/** Defects in what a row says about itself. */
export const consistencyMutants: Mutant[] = [
  {
    id: 'statistics-mean-off',
    breaks: 'REQ-VIEW-STATS-CONSISTENT',
    defect: 'The mean of a series is twice its maximum.',
    wrap: onObjects('statistics', (statistics) =>
      typeof statistics['max'] === 'number'
        ? { ...statistics, arithmetic_mean: Math.abs(statistics['max']) * 2 + 1 }
        : statistics,
    ),
  },
  {
    id: 'statistics-sum-off',
    breaks: 'REQ-VIEW-STATS-CONSISTENT',
    defect: 'The sum of a series is a thousandth too large.',
    wrap: onObjects('statistics', (statistics) => onNumber(statistics, 'sum', (sum) => sum * 1.001 + 0.5)),
  },
  {
    id: 'statistics-of-other-points',
    breaks: 'REQ-VIEW-STATS-POINTS',
    defect: 'Points are half a unit above the values that their statistics are made of.',
    wrap: onRows((row, { statement = '' }) =>
      /\bfrom\s+v_timeseries_data\b/i.test(statement) ? onNumber(row, 'value', (value) => value + 0.5) : row,
    ),
  },
  {
    id: 'duration-in-seconds',
    breaks: 'REQ-VIEW-TS-DURATION',
    defect: 'duration_ms of a series is in seconds.',
    wrap: onSeries((row) => onNumber(row, 'duration_ms', (duration) => duration / 1000)),
  },
  {
    id: 'duration-wrapped',
    breaks: 'REQ-VIEW-TS-DURATION',
    defect: 'duration_ms of a series wraps at 2^26.',
    wrap: onSeries((row) => onNumber(row, 'duration_ms', (duration) => duration % 2 ** 26)),
  },
  {
    id: 'start-and-end-exchanged',
    breaks: 'REQ-VIEW-TS-DURATION',
    defect: 'Start and end of a series are exchanged.',
    wrap: onSeries((row) =>
      'start_timestamp' in row && 'end_timestamp' in row
        ? { ...row, start_timestamp: row['end_timestamp'], end_timestamp: row['start_timestamp'] }
        : row,
    ),
  },
  {
    id: 'series-time-lost',
    breaks: 'REQ-VIEW-FR-SHAPE:should',
    defect: 'The last time of a series is lost.',
    wrap: onObjects('timeseries', (series) => ({
      ...series,
      times_ms: (series['times_ms'] as number[]).slice(0, -1),
    })),
  },
  {
    id: 'formula-statistics-off',
    breaks: 'REQ-VIEW-FR-STATS',
    defect: 'timeseries_statistics_max is that of another series.',
    wrap: onRows((row) => onNumber(row, 'timeseries_statistics_max', (max) => max + 1)),
  },
  {
    id: 'formula-result-both-forms',
    breaks: 'REQ-VIEW-FR-EXCLUSIVE',
    defect: 'A formula result has a single value beside its series.',
    wrap: onRows((row) =>
      'formula_id' in row && row['timeseries'] !== null ? { ...row, data: { value: 1 } } : row,
    ),
  },
]
