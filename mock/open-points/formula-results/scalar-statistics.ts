import { view } from '../../../schemas/views.ts'
import { changeViews, type Expression, type ViewChanges } from '../view-change.ts'

const ofSeries = view('v_formula_results').columns.filter(({ name }) => name.startsWith('timeseries_'))

/** Without a series, the columns that describe one are null. */
const onlyWithSeries: ViewChanges = {
  v_formula_results: {
    columns: Object.fromEntries(
      ofSeries.map(({ name }): [string, Expression] => [
        name,
        (own) => `CASE WHEN base.timeseries IS NOT NULL THEN ${own} END`,
      ]),
    ),
  },
}

export const scalarStatistics = changeViews('formula-results.scalar-statistics', {
  filled: undefined,
  null: onlyWithSeries,
})
