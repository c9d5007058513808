import { type Changes, column, type Expression } from './view-change.ts'

/** From the deviation of a sample of `count` values to that of a population. */
const ofPopulation = (deviation: string, count: string) =>
  `CASE WHEN ${count} > 1 THEN ${deviation} * sqrt((${count} - 1) / ${count}) ELSE ${deviation} END`

const inStatistics = (key: string) => `(base.statistics ->> '${key}')::float8`

const statistic =
  (key: string, value: string): Expression =>
  (own) =>
    `jsonb_set(${own}, '{${key}}', coalesce(to_jsonb(${value}), 'null'))`

const points = `(SELECT count(*) FROM plant.timeseries_data AS point WHERE point.id = base.id)`

/** The knobs of series and their points. */
export const seriesChanges = {
  'statistics.standard-deviation': {
    population: {
      v_timeseries: {
        columns: {
          statistics: statistic(
            'standard_deviation',
            ofPopulation(inStatistics('standard_deviation'), inStatistics('count')),
          ),
        },
      },
      v_formula_results: {
        columns: {
          timeseries_statistics_standard_deviation: (own) =>
            ofPopulation(own, 'base.timeseries_statistics_count'),
        },
      },
    },
  },
  'statistics.count': {
    all: column('v_timeseries', 'statistics', statistic('count', points)),
  },
} satisfies Record<string, Changes>
