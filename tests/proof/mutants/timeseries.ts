import { onNumber, onObjects, onRows, without, type Mutant } from '../mutant.ts'

/** Rewrites the rows of statements on v_timeseries without a join. */
const onSeries = (rewrite: (row: Record<string, unknown>) => Record<string, unknown>): Mutant['wrap'] =>
  onRows((row, { statement = '' }) =>
    /\bfrom\s+v_timeseries\b(?!.*\bjoin\b)/i.test(statement) ? rewrite(row) : row,
  )

export const timeseriesMutants: Mutant[] = [
  {
    id: 'statistics-without-sum',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'statistics has no sum.',
    wrap: onObjects('statistics', (statistics) => without(statistics, 'sum')),
  },
  {
    id: 'statistics-count-text',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'The count in statistics is a text.',
    wrap: onObjects('statistics', (statistics) => ({ ...statistics, count: String(statistics['count']) })),
  },
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
]
