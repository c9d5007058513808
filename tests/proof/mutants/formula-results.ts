import { onNumber, onObjects, onRows, without, type Mutant } from '../mutant.ts'

export const formulaResultMutants: Mutant[] = [
  {
    id: 'series-without-times',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'The series of a formula result has no times_ms.',
    wrap: onObjects('timeseries', (series) => without(series, 'times_ms')),
  },
  {
    id: 'series-of-texts',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'The values of a series are texts.',
    wrap: onObjects('timeseries', (series) => ({
      ...series,
      data: (series['data'] as unknown[]).map(String),
    })),
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
