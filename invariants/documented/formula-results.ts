import { say, words } from '../message.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { noViolations, rowRule, type RowRule, type Violation } from './judging.ts'
import { choiceOf, differences } from './statistics.ts'

const view = 'v_formula_results'
const prefix = 'timeseries_statistics_'

interface Series {
  data: number[]
  times_ms: number[]
}

/** The series of a result; undefined if there is none or it does not have its documented shape. */
export function seriesOf({ timeseries }: Row): Series | undefined {
  if (!isRecord(timeseries)) return undefined
  const { data, times_ms: times } = timeseries
  return isNumbers(data) && isNumbers(times) ? { data, times_ms: times } : undefined
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')

/** Every value of a series has its time. */
export const lengths = rowRule('REQ-VIEW-FR-SHAPE:should', view, (row) => {
  const series = seriesOf(row)
  if (!series) return undefined
  const [values, times] = [series.data.length, series.times_ms.length]
  if (values === times) return noViolations
  const actual = words(`a series of ${values} values and ${times} times`)
  return [{ column: 'timeseries', expected: words('a series of as many times as values'), actual }]
})

/** The statistics of a result are those of its series. */
export const ofSeries = rowRule('REQ-VIEW-FR-STATS', view, (row) => {
  const series = seriesOf(row)
  if (!series) return undefined
  const columns = Object.entries(row).filter(([name]) => name.startsWith(prefix))
  const statistics = Object.fromEntries(columns.map(([name, value]) => [name.slice(prefix.length), value]))
  return differences(statistics, series.data).map((difference) => ({
    column: prefix + difference.key,
    expected: say`${choiceOf(difference)} (from timeseries.data)`,
    actual: say`${difference.actual}`,
  }))
})

/** A result is either a single value or a series. Rows may leave out nulls, so both columns have to be read. */
export const oneForm: RowRule = {
  views: [view],
  requirement: () => 'REQ-VIEW-FR-EXCLUSIVE',
  judge: (_, columns = ['data', 'timeseries']) =>
    columns.includes('data') && columns.includes('timeseries') ? judgeForm : () => undefined,
}

function judgeForm({ data, timeseries }: Row): readonly Violation[] {
  const [single, series] = [(data ?? null) !== null, (timeseries ?? null) !== null]
  if (single !== series) return noViolations
  const actual = words(single ? 'filled together with timeseries' : 'null together with timeseries')
  return [{ column: 'data', expected: words('filled exactly where timeseries is null'), actual }]
}
