import { changeViews, type ViewChanges } from '../view-change.ts'

/** The standard deviation of a population, from that of a sample of `count` values. */
const ofPopulation = (deviation: string, count: string) =>
  `CASE WHEN ${count} > 1 THEN ${deviation} * sqrt((${count} - 1) / ${count}) ELSE ${deviation} END`

const statistic = (key: string) => `(base.statistics ->> '${key}')::float8`

const population: ViewChanges = {
  v_timeseries: {
    columns: {
      statistics: (own) =>
        `jsonb_set(${own}, '{standard_deviation}', coalesce(to_jsonb(${ofPopulation(
          statistic('standard_deviation'),
          statistic('count'),
        )}), 'null'))`,
    },
  },
  v_formula_results: {
    columns: {
      timeseries_statistics_standard_deviation: (own) =>
        ofPopulation(own, 'base.timeseries_statistics_count'),
    },
  },
}

export const standardDeviation = changeViews('statistics.standard-deviation', {
  sample: undefined,
  population,
})
