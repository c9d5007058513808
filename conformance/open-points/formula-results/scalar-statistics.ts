import { view } from '../../../schemas/index.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only, rowsOf, tally, unlessEmpty } from '../reading.ts'

const STATISTICS = view('v_formula_results').columns.filter(({ name }) =>
  name.startsWith('timeseries_statistics_'),
)

/** Whether the statistics of a result with a single value are filled; nothing for a series. */
function fillingOf(row: JsonObject): string[] {
  const { timeseries = null, data = null } = row
  if (timeseries !== null || data === null) return []
  const nulls = STATISTICS.filter(({ name }) => (row[name] ?? null) === null).length
  return [nulls === 0 ? 'filled' : nulls === STATISTICS.length ? 'null' : 'partly filled']
}

export const probe = defineProbe('formula-results.scalar-statistics', {
  read: async (t: Target) => unlessEmpty((await rowsOf(t, 'v_formula_results')).flatMap(fillingOf)),
  seen: (fillings) => `in rows: ${tally(fillings)}`,
  variants: {
    filled: only('filled'),
    null: only('null'),
  },
})
