import { changeViews, column } from '../view-change.ts'

const points = `(SELECT count(*) FROM plant.timeseries_data AS point WHERE point.id = base.id)`

export const statisticsCount = changeViews('statistics.count', {
  'non-null': undefined,
  all: column(
    'v_timeseries',
    'statistics',
    (own) => `jsonb_set(${own}, '{count}', coalesce(to_jsonb(${points}), 'null'))`,
  ),
})
