import { seriesOf } from '../documented/formula-results.ts'
import { together, unless, type Invariant, type Problems } from '../invariant.ts'
import { keyOf, isRecord, nameOf, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'
import { isClose, summarise } from '../statistics.ts'
import { statisticsOf } from './statistics.ts'

/** P17: there are as many times as values, the count is their number, and the times increase. */
export function timesProblems(row: Row): Problems | undefined {
  const series = seriesOf(row)
  if (!series) return undefined
  const { data, times_ms: times } = series
  const count = row['timeseries_statistics_count'] ?? data.length
  const late = times.findIndex((time, index) => index > 0 && !(time > times[index - 1]!))
  return [
    ...unless(
      data.length === times.length,
      say`The series has ${data.length} values, but ${times.length} times.`,
    ),
    ...unless(
      count === data.length,
      say`timeseries_statistics_count is ${count}, but there are ${data.length} values.`,
    ),
    ...unless(late === -1, say`times_ms does not increase at ${times[late]}.`),
  ]
}

const recalculated = ['min', 'max', 'arithmetic_mean', 'sum', 'first', 'last', 'count'] as const

/**
 * P19: the statistics of a result match its values, or its single value. The values themselves are not recalculated,
 * because no row says which quantities a formula uses.
 */
export function resultProblems(row: Row): Problems | undefined {
  const printed = statisticsOf(row)
  const values = seriesOf(row)?.data ?? singleValue(row)
  if (!printed || !values || printed['count'] === null) return undefined
  const summary = summarise(values)
  return recalculated
    .filter((key) => !isClose(printed[key], summary[key]))
    .map(
      (key) =>
        say`${words(`timeseries_statistics_${key}`)} is ${printed[key]}, but the values give ${summary[key]}.`,
    )
}

function singleValue({ data, timeseries }: Row): number[] | undefined {
  const value = isRecord(data) ? data['value'] : undefined
  return (timeseries ?? null) === null && typeof value === 'number' ? [value] : undefined
}

export const readyOnly: Invariant = together(
  'P20',
  'Only formulas in the state ready have results',
  { judges: ['v_formula_results'], whole: ['v_formulas'] },
  function* (store) {
    const formulas = store.byId('v_formulas')
    for (const row of store.rows('v_formula_results')) {
      const state = formulas.get(keyOf(row['formula_id']))?.['state']
      if (typeof state !== 'string') continue
      const problems = unless(state === 'ready', say`The state of the formula is ${state}, not ready.`)
      yield { view: 'v_formula_results', row: nameOf(row), problems }
    }
  },
)
