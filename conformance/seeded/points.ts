import { sqlLiteral } from '../../base/text/sql-literal.ts'
import { compared, fail, inconclusive, notExercised, type Finding } from '../checks/check.ts'
import { describeReply } from '../connection/http/reply.ts'
import { isObject, type JsonObject } from '../connection/values/json.ts'
import { rowsOf } from '../connection/rows.ts'
import { columnsOf } from '../search/statements/syntax.ts'
import { difference } from '../search/results/compare.ts'
import type { WithReference } from './reference.ts'
import type { Values } from '../search/statements/values.ts'

const VIEW = 'v_timeseries_data'
const LIMIT = 500
/** Maximum number of series in a statement for the reference. */
const MOST_SERIES = 100

/** Compares some points with those of the same series in the reference, without reading the whole view. */
export async function comparePoints(both: WithReference, values: Values): Promise<Finding> {
  const columns = columnsOf({ view: VIEW, alias: VIEW }).map(({ name }) => name)
  const reply = await both.target.query(`SELECT ${columns.join(', ')} FROM ${VIEW} LIMIT ${LIMIT}`)
  const exchanges = [reply.exchange]
  if (!reply.ok) return notExercised(`${VIEW} got ${describeReply(reply)}`, { exchanges })
  const actual = rowsOf(reply, columns, true)?.rows ?? []
  const series = [...new Set(actual.flatMap(({ id }) => (typeof id === 'string' ? [sqlLiteral(id)] : [])))]
  if (series.length === 0 || series.length > MOST_SERIES)
    return inconclusive(`${LIMIT} points belong to ${series.length} series`, { exchanges })
  const expected = await both.source.rows(
    `SELECT ${columns.join(', ')} FROM ${VIEW} WHERE id IN (${series.join(', ')})`,
  )
  const found = difference({
    columns,
    expected: expected.filter(isObject) as JsonObject[],
    actual,
    chosen: Math.min(LIMIT, values.size(VIEW)),
  })
  if (found) return fail({ ...found, exchanges })
  return compared(actual.length, 'row', `same points of ${series.length} series as the reference`, {
    exchanges,
  })
}
