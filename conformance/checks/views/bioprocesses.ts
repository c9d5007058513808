import { countUnnamed, rowRules } from '../../../invariants/index.ts'
import { view as viewOf, views } from '../../../schemas/index.ts'
import type { Check } from '../check.ts'
import { rowCheck } from './row-check.ts'

const isDate = (value: unknown): boolean => typeof value === 'string' && value.length === 10

/** The requirements that hold for each row, or among the rows of one answer. Their rules are in invariants/documented/. */
export const rowChecks: Check[] = [
  ...views.map((view) => {
    const documented = view.columns.filter(({ optional }) => !optional)
    const nulled = documented.filter(({ nullable, nullOnlyWithout }) => !nullable || nullOnlyWithout)
    return rowCheck({
      id: `views.types:${view.name}`,
      rule: rowRules.types,
      views: [view.name],
      title: `give values of the documented types in ${view.name}`,
      pass: 'types and nulls are as listed',
      killedBy: [
        ...documented.map(({ name }) => `column-mistyped:${view.name}.${name}`),
        ...nulled.map(({ name }) => `column-nulled:${view.name}.${name}`),
        ...(view.columns.some(({ items }) => items === 'string') ? [`items-mistyped:${view.name}`] : []),
        ...(view.name === 'v_bioprocesses' ? ['delta-types-differ'] : []),
      ],
    })
  }),
  rowCheck({
    id: 'timestamps.iso8601',
    rule: rowRules.iso8601,
    title: 'write timestamps in ISO 8601',
    pass: 'all timestamps are ISO 8601',
    killedBy: ['timestamps-local-style', 'timestamps-epoch-text'],
    note: {
      count: (row, view) =>
        viewOf(view).columns.filter(({ name, format }) => format && isDate(row[name])).length,
      text: 'timestamps are calendar dates without a time',
    },
  }),
  rowCheck({
    id: 'timestamps.separator',
    rule: rowRules.separator,
    title: 'write a T between date and time',
    pass: 'no timestamp has a space in it',
    killedBy: ['timestamps-space'],
  }),
  rowCheck({
    id: 'timestamps.zone',
    rule: rowRules.zone,
    title: 'write a zone in the five columns that are noted to carry one',
    pass: 'all timestamps that are noted to carry a zone do',
    killedBy: ['timestamps-zoneless'],
  }),
  rowCheck({
    id: 'bioprocesses.status',
    rule: rowRules.status,
    title: 'have one of the documented states in status',
    pass: 'every status is documented',
    killedBy: ['status-other'],
  }),
  rowCheck({
    id: 'bioprocesses.data-empty',
    rule: rowRules.emptyData,
    title: 'leave v_bioprocesses.data an empty array',
    pass: 'data is empty',
    killedBy: ['bioprocess-data-filled'],
  }),
  rowCheck({
    id: 'bioprocesses.qc-status',
    rule: rowRules.qcStatus,
    title: 'have the key status in qc',
    pass: 'qc has the key status',
    killedBy: ['qc-without-status'],
  }),
  rowCheck({
    id: 'bioprocesses.qc-failure-mode',
    rule: rowRules.qcFailureMode,
    title: 'have the key failure_mode in qc',
    pass: 'qc has the key failure_mode',
    killedBy: ['qc-without-failure-mode'],
  }),
  rowCheck({
    id: 'bioprocesses.events',
    rule: rowRules.namedEvents,
    title: 'give event records the keys of the kind they name',
    pass: 'each event record has the keys and types of the kind it names',
    killedBy: ['event-without-its-key', 'event-volume-number', 'event-not-a-record'],
    note: { count: countUnnamed, text: 'event records name no documented kind; they were not judged' },
  }),
  rowCheck({
    id: 'bioprocesses.apparent-events',
    rule: rowRules.apparentEvents,
    title: 'give records that look like a documented kind all of its keys',
    pass: 'each event record that looks like a documented kind names it or has its keys',
    killedBy: ['event-unnamed-without-key'],
  }),
  rowCheck({
    id: 'quantity-data.unique',
    rule: rowRules.uniqueScalars,
    title: 'have one row for each bioprocess and quantity',
    pass: 'no bioprocess has a quantity twice',
    atLeast: 2,
    killedBy: ['quantity-data-twice'],
  }),
  rowCheck({
    id: 'quantity-data.unit',
    rule: rowRules.unit,
    title: 'leave unit the empty text where no unit applies',
    pass: 'unit is a text',
    killedBy: ['quantity-data-unit-null'],
  }),
  rowCheck({
    id: 'ids.unique',
    rule: rowRules.uniqueIds,
    title: 'use an identifier once in its view',
    pass: 'no id occurs twice in its view',
    atLeast: 2,
    killedBy: ['ids-repeated'],
  }),
  rowCheck({
    id: 'timeseries.statistics',
    rule: rowRules.statistics,
    title: 'have the eight keys in statistics',
    pass: 'keys and types of statistics are as documented',
    killedBy: ['statistics-without-sum', 'statistics-count-text'],
  }),
  rowCheck({
    id: 'timeseries.statistics-agree',
    rule: rowRules.consistentStatistics,
    title: 'give statistics that do not contradict each other',
    pass: 'the statistics agree with each other',
    atLeast: 2,
    killedBy: ['statistics-mean-off', 'statistics-sum-off'],
  }),
  rowCheck({
    id: 'timeseries.duration',
    rule: rowRules.seriesDuration,
    title: 'give the milliseconds from start to end in duration_ms of v_timeseries',
    pass: 'each duration is the time from start to end',
    atLeast: 2,
    killedBy: ['duration-in-seconds', 'duration-wrapped', 'start-and-end-exchanged'],
  }),
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
