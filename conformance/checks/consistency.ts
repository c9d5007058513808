import { check, compared, fail, type Check, type Finding } from './check.ts'
import { contradictionIn, disagreements, type Statistics } from '../comparisons/series-statistics.ts'
import { plain, show, type JsonObject } from '../connection/json.ts'
import type { Target } from '../connection/target.ts'

type Row = Record<string, unknown>

/**
 * Checks the sampled rows of a view one by one; `problem` says what is wrong with one, undefined if nothing is, null if
 * the row has nothing to check.
 */
async function eachRow(
  t: Target,
  view: 'v_timeseries' | 'v_formula_results',
  problem: (row: Row) => string | undefined | null,
  words: { pass: string; fail: string; expected: string },
): Promise<Finding> {
  const { rows, reply } = await t.sample(view)
  const judged = rows.flatMap((row) => {
    const found = problem(plain(row) as Row)
    return found === null ? [] : [{ row, found }]
  })
  const bad = judged.filter(({ found }) => found !== undefined)
  const [first] = bad
  if (!first) return compared(judged.length < 2 ? 0 : judged.length, 'row', words.pass)
  return fail({
    message: `${words.fail} in ${bad.length} of ${judged.length} rows of ${view}`,
    expected: words.expected,
    actual: `${first.found}, in the row ${show((first.row as JsonObject)['id'])}`,
    exchanges: [reply.exchange],
  })
}

interface Series {
  data: number[]
  times_ms: number[]
}

/** The series of a formula result; null if there is none, or none in its documented shape (REQ-VIEW-FR-SHAPE). */
function seriesOf({ timeseries }: Row): Series | null {
  const { data, times_ms: times } = (timeseries ?? {}) as Partial<Series>
  return Array.isArray(data) && Array.isArray(times) && data.every((value) => typeof value === 'number')
    ? { data, times_ms: times }
    : null
}

/** The columns timeseries_statistics_* under the names of a statistics object. */
const statisticsOf = (row: Row): Statistics =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace('timeseries_statistics_', ''), value]),
  )

export const consistencyChecks: Check[] = [
  check({
    id: 'timeseries.statistics-agree',
    requirement: 'REQ-VIEW-STATS-CONSISTENT',
    title: 'give statistics that do not contradict each other',
    killedBy: ['statistics-mean-off', 'statistics-sum-off'],
    run: (t) =>
      eachRow(
        t,
        'v_timeseries',
        ({ statistics }) =>
          statistics && typeof statistics === 'object' ? contradictionIn(statistics as Statistics) : null,
        {
          pass: 'the statistics agree with each other',
          fail: 'statistics contradict each other',
          expected:
            'min <= arithmetic_mean <= max, and arithmetic_mean times the number of values is the sum',
        },
      ),
  }),
  check({
    id: 'formula-results.series-lengths',
    requirement: 'REQ-VIEW-FR-SHAPE:should',
    title: 'give every value of a series its time',
    killedBy: ['series-time-lost'],
    run: (t) =>
      eachRow(
        t,
        'v_formula_results',
        (row) => {
          const series = seriesOf(row)
          if (!series) return null
          const [values, times] = [series.data.length, series.times_ms.length]
          return values === times ? undefined : `${values} values, ${times} times`
        },
        {
          pass: 'as many times as values',
          fail: 'data and times_ms differ in length',
          expected: 'the same length',
        },
      ),
  }),
  check({
    id: 'formula-results.statistics-agree',
    requirement: 'REQ-VIEW-FR-STATS',
    title: 'give the statistics of the series in timeseries_statistics_*',
    killedBy: ['formula-statistics-off'],
    run: (t) =>
      eachRow(
        t,
        'v_formula_results',
        (row) => {
          const series = seriesOf(row)
          return series && (disagreements(statisticsOf(row), series.data)[0] ?? undefined)
        },
        {
          pass: 'the statistics are those of timeseries.data',
          fail: 'statistics are not those of timeseries.data',
          expected: 'statistics recomputed from the values, within 1e-9',
        },
      ),
  }),
  check({
    id: 'formula-results.one-form',
    requirement: 'REQ-VIEW-FR-EXCLUSIVE',
    title: 'fill either data or timeseries',
    killedBy: ['formula-result-both-forms'],
    run: (t) =>
      eachRow(
        t,
        'v_formula_results',
        ({ data, timeseries }) => {
          const [single, series] = [(data ?? null) !== null, (timeseries ?? null) !== null]
          return single === series ? `${single ? 'both are' : 'neither is'} there` : undefined
        },
        {
          pass: 'either a single value or a series',
          fail: 'not exactly one form of result',
          expected: 'one of the two, the other null',
        },
      ),
  }),
]
