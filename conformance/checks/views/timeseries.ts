import { sqlLiteral } from '../../../base/text/sql-literal.ts'
import { choiceOf, rowRules, textOf, type Difference, type Row } from '../../../invariants/index.ts'
import { check, compared, fail, notExercised, type Check, type Finding } from '../check.ts'
import { readPointStatistics, type Point } from '../../comparisons/point-statistics.ts'
import { findConcurrentChange } from '../findings/concurrent-change.ts'
import { instantOf } from '../../connection/values/instant.ts'
import { isObject, plain, show, type Json, type JsonObject } from '../../connection/values/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { isComplete } from '../../samples/whole.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { rowCheck } from './row-check.ts'

/** As many points as are read of one series: below the thousand at which services are known to cut. */
const MOST = 900
/** Series tried until one has as many points as it says. */
const TRIES = 2
const COLUMNS = ['id', 'timestamp', 'value']

const statisticsOf = (row: JsonObject): Row | undefined =>
  isObject(row['statistics']) ? (plain(row['statistics']) as Row) : undefined
const countOf = (row: JsonObject): number => Number(statisticsOf(row)?.['count'] ?? Number.NaN)

/** All points of one short series, read with an undocumented filter. */
async function pointsOf(t: Target, id: Json): Promise<Selection | undefined> {
  return unlessRefused(
    t.selectOnce(
      `SELECT ${COLUMNS.join(', ')} FROM v_timeseries_data WHERE id = ${sqlLiteral(String(id))} LIMIT ${MOST}`,
      COLUMNS,
    ),
  )
}

function readPoints({ rows }: Selection): Point[] | undefined {
  const points = rows.flatMap(({ timestamp, value }) => {
    const at = typeof timestamp === 'string' ? instantOf(timestamp) : undefined
    const number = value === null || value === undefined ? null : plain(value)
    return at === undefined || (number !== null && typeof number !== 'number') ? [] : [{ at, value: number }]
  })
  return points.length === rows.length ? points : undefined
}

async function fromPoints(t: Target): Promise<Finding> {
  const series = await t.sample('v_timeseries')
  const short = series.rows
    .filter((row) => countOf(row) > 1 && countOf(row) < MOST)
    .sort((one, other) => countOf(one) - countOf(other))
    .slice(0, TRIES)
  for (const row of short) {
    const read = await pointsOf(t, row['id'] ?? null)
    const points = read && readPoints(read)
    const statistics = statisticsOf(row)
    const isRead = read && points && points.length >= countOf(row) && (await isComplete(t, read))
    if (!statistics || !isRead) continue
    const { differences, countsNulls, deviation } = readPointStatistics(statistics, points)
    if (differences.length > 0) {
      const change = await findConcurrentChange(t, 'compared', series, read)
      if (change) return change
      return fail({
        message: `statistics of the series ${show(row['id'])} are not those of its ${points.length} points`,
        expected: 'what its points give',
        actual: differences.map(differs).join('; '),
        exchanges: [series.reply.exchange, read.reply.exchange],
      })
    }
    const nulls =
      countsNulls === undefined ? '' : `, points without a value ${countsNulls ? 'count' : 'do not count'}`
    const which = deviation === undefined ? '' : `, the deviation is that of a ${deviation}`
    return compared(points.length, 'point', `give the statistics of their series${nulls}${which}`, {
      exchanges: [read.reply.exchange],
    })
  }
  return notExercised('of no series all points could be read')
}

const differs = (difference: Difference): string =>
  `${difference.key} ${show(difference.actual)} in place of ${textOf(choiceOf(difference), (value) => show(value as number))}`

export const timeseriesChecks: Check[] = [
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
  check({
    id: 'timeseries.statistics-of-points',
    requirement: 'REQ-VIEW-STATS-POINTS',
    title: 'derive the statistics of a series from its points',
    killedBy: ['statistics-of-other-points'],
    run: fromPoints,
  }),
]
