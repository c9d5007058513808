import { rowRules } from '../../../invariants/index.ts'
import type { Check } from '../check.ts'
import { rowCheck } from './row-check.ts'

export const formulaResultChecks: Check[] = [
  rowCheck({
    id: 'formula-results.series',
    rule: rowRules.series,
    title: 'give a series as {data, times_ms}, both arrays of numbers',
    pass: 'keys and types of timeseries are as documented',
    killedBy: ['series-without-times', 'series-of-texts'],
  }),
  rowCheck({
    id: 'formula-results.series-lengths',
    rule: rowRules.seriesLengths,
    title: 'give every value of a series its time',
    pass: 'as many times as values',
    atLeast: 2,
    killedBy: ['series-time-lost'],
  }),
  rowCheck({
    id: 'formula-results.statistics-agree',
    rule: rowRules.seriesStatistics,
    title: 'give the statistics of the series in timeseries_statistics_*',
    pass: 'the statistics are those of timeseries.data',
    atLeast: 2,
    killedBy: ['formula-statistics-off'],
  }),
  rowCheck({
    id: 'formula-results.one-form',
    rule: rowRules.oneForm,
    title: 'fill either data or timeseries',
    pass: 'either a single value or a series',
    atLeast: 2,
    killedBy: ['formula-result-both-forms'],
  }),
]
