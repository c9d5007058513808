import { contract } from '../../schemas/index.ts'
import { check, compared, fail, notExercised, type Check, type Finding } from '../check.ts'
import { readPointStatistics, type Point } from '../judges/point-statistics.ts'
import type { Statistics } from '../judges/series-statistics.ts'
import { whereMoved } from '../relations/bracket.ts'
import { instantOf } from '../target/instant.ts'
import { isObject, plain, show, type Json, type JsonObject } from '../target/json.ts'
import { unlessRefused } from '../target/refusal.ts'
import type { Selection, Target } from '../target/target.ts'

/** As many points as are read of one series: below the thousand at which services are known to cut. */
const MOST = 900
/** Series tried until one has as many points as it says. */
const TRIES = 2
const COLUMNS = ['id', 'timestamp', 'value']

const statisticsOf = (row: JsonObject): Statistics | undefined =>
  isObject(row['statistics']) ? (plain(row['statistics']) as Statistics) : undefined
const countOf = (row: JsonObject): number => Number(statisticsOf(row)?.['count'] ?? Number.NaN)

/** All points of one short series, by a filter that nobody has to accept. */
async function pointsOf(t: Target, id: Json): Promise<Selection | undefined> {
  const name = String(id).replaceAll("'", "''")
  return unlessRefused(
    t.selectOnce(
      `SELECT ${COLUMNS.join(', ')} FROM v_timeseries_data WHERE id = '${name}' LIMIT ${MOST}`,
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
    if (!read || !points || read.rows.length === MOST || points.length < countOf(row)) continue
    const { disagreements, countsNulls, deviation } = readPointStatistics(statisticsOf(row)!, points)
    if (disagreements.length > 0) {
      const moved = await whereMoved(t, 'compared', series, read)
      if (moved) return moved
      return fail({
        message: `statistics of the series ${show(row['id'])} are not those of its ${points.length} points`,
        expected: 'what its points give',
        actual: disagreements.join('; '),
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

/** A form with its letters and numbers taken for any others: `(A*3)*B/100` -> `(L*N)*L/N`. */
const formOf = (expression: string): string =>
  expression
    .replaceAll(/\s+/g, '')
    .replaceAll(/\b[A-Z]\b/g, 'L')
    .replaceAll(/\b\d+(\.\d+)?\b/g, 'N')

async function formulaForms(t: Target): Promise<Finding> {
  const { rows, reply } = await t.sample('v_formulas')
  const expressions = rows.flatMap(({ formula }) => (typeof formula === 'string' ? [formula] : []))
  if (expressions.length === 0) return notExercised('there are no formulas')
  const printed = new Map(
    contract.formulaExpressions.toReversed().map((expression) => [formOf(expression), expression]),
  )
  const others = expressions.filter((expression) => !printed.has(formOf(expression)))
  const seen = new Set(expressions.map(formOf))
  const forms = [...printed].filter(([form]) => seen.has(form)).map(([, expression]) => expression)
  return {
    outcome: 'observed',
    message: `${expressions.length} formulas: forms like ${forms.join(', ') || 'none of the printed ones'}${
      others.length > 0 ? `; ${others.length} of other forms` : ''
    }`,
    exchanges: [reply.exchange],
  }
}

/** What rows say that the contract describes in words only. */
export const derivedChecks: Check[] = [
  check({
    id: 'timeseries.statistics-of-points',
    requirement: 'REQ-VIEW-STATS-POINTS',
    title: 'MAY derive the statistics of a series from its points',
    killedBy: ['statistics-of-other-points'],
    run: fromPoints,
  }),
  check({
    id: 'formulas.forms',
    requirement: 'REQ-VIEW-FORMULA-FORMS',
    title: 'MAY write formulas in the printed forms',
    killedBy: [],
    run: formulaForms,
  }),
]
