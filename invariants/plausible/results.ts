import { summaryOf } from '../rows/point-series.ts'
import { isClose, together, unless, type Invariant, type Problems } from '../invariant.ts'
import { keyOf, isRecord, nameOf, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'
import { statisticsOf } from '../documented/statistics.ts'

interface Series {
  data: number[]
  times_ms: number[]
}

/** The series of a result in its documented shape; undefined where there is none. */
function seriesOf({ timeseries }: Row): Series | undefined {
  if (!isRecord(timeseries)) return undefined
  const { data, times_ms: times } = timeseries
  return isNumbers(data) && isNumbers(times) ? { data, times_ms: times } : undefined
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')

/** P17: as many times as values, which is what the count says; times increase. */
export function timesProblems(row: Row): Problems | undefined {
  const series = seriesOf(row)
  if (!series) return undefined
  const { data, times_ms: times } = series
  const count = row['timeseries_statistics_count'] ?? data.length
  const late = times.findIndex((time, index) => index > 0 && !(time > times[index - 1]!))
  return [
    ...unless(data.length === times.length, say`It has ${data.length} values at ${times.length} times.`),
    ...unless(count === data.length, say`The count is ${count}, the values are ${data.length}.`),
    ...unless(late === -1, say`times_ms does not increase at ${times[late]}.`),
  ]
}

/** P18: a result is a single value or a series. */
export function formProblems({ data, timeseries }: Row): Problems {
  const [single, series] = [(data ?? null) !== null, (timeseries ?? null) !== null]
  return unless(
    single !== series,
    single ? say`It is a value and a series.` : say`It is neither a value nor a series.`,
  )
}

const recalculated = ['min', 'max', 'arithmetic_mean', 'sum', 'first', 'last', 'count'] as const

/**
 * P19: the statistics of a result recompute from its values, those of a single value from that one. Which quantities a
 * formula is calculated from no row says, so the values themselves are taken as they are.
 */
export function resultProblems(row: Row): Problems | undefined {
  const printed = statisticsOf(row)
  const values = seriesOf(row)?.data ?? singleValue(row)
  if (!printed || !values || printed['count'] === null) return undefined
  const summary = summaryOf(values)
  return recalculated
    .filter((key) => !isClose(printed[key], summary[key]))
    .map(
      (key) =>
        say`${words(`timeseries_statistics_${key}`)} is ${printed[key]}, the values give ${summary[key]}.`,
    )
}

function singleValue({ data, timeseries }: Row): number[] | undefined {
  const value = isRecord(data) ? data['value'] : undefined
  return (timeseries ?? null) === null && typeof value === 'number' ? [value] : undefined
}

export const readyOnly: Invariant = together(
  'P20',
  'Only formulas that are ready have results',
  { judges: ['v_formula_results'], whole: ['v_formulas'] },
  function* (store) {
    const formulas = store.byId('v_formulas')
    for (const row of store.rows('v_formula_results')) {
      const state = formulas.get(keyOf(row['formula_id']))?.['state']
      if (typeof state !== 'string') continue
      const problems = unless(state === 'ready', say`The formula is in the state ${state}.`)
      yield { view: 'v_formula_results', row: nameOf(row), problems }
    }
  },
)
