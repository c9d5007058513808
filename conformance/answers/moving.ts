import { contract, type ViewName } from '../../schemas/index.ts'
import { sleep } from '../../base/until-aborted.ts'
import { isSameValue } from '../comparisons/same-value.ts'
import type { Json } from '../connection/values/json.ts'
import type { Target } from '../connection/target.ts'
import { newest, updatesOf } from '../connection/values/updates.ts'
import { rowsIn } from './answers.ts'
import { keyedRows } from './keyed-rows.ts'

/**
 * The keys of rows whose `last_updated_at` differs between answers of the run so far.
 *
 * @param isAlone whether to read only answers to requests that had no other beside them
 */
export function movedRows(t: Target, view: ViewName, isAlone = false): Set<string> {
  const times = new Map<string, Json>()
  const moved = new Set<string>()
  for (const one of rowsIn(t, view)) {
    if (isAlone && !one.answer.reply.exchange.isAlone) continue
    for (const { key, row } of keyedRows(one)) {
      const time = row[contract.delta.column]
      if (time === undefined || time === null) continue
      if (isSameValue(times.get(key) ?? time, time)) times.set(key, time)
      else moved.add(key)
    }
  }
  return moved
}

/**
 * Whether the answers of the run so far show that the data change: a row has two times of its last update, or a repeated statement
 * another newest row. Reads only answers to requests that had no other beside them, because a target may mix up the others.
 * Sends no request.
 */
export const dataMoves = (t: Target): boolean =>
  contract.views.some((view) => movedRows(t, view, true).size > 0 || hasNewRows(t, view))

/** Whether a repeated statement has shown another newest row of a view. */
function hasNewRows(t: Target, view: ViewName): boolean {
  const newestOf = new Map<string, bigint>()
  for (const { joined, rows, answer } of rowsIn(t, view)) {
    const last = joined || !answer.reply.exchange.isAlone ? undefined : newest(updatesOf(rows))
    if (last === undefined || answer.sql === undefined) continue
    if ((newestOf.get(answer.sql) ?? last) !== last) return true
    newestOf.set(answer.sql, last)
  }
  return false
}

/**
 * Waits for a random time, and sends a statement half of the time: data may change at a fixed rate, and copies of them may take
 * turns.
 */
export async function anyMoment(t: Target): Promise<void> {
  await sleep(Math.random() * 20, undefined)
  if (Math.random() < 0.5) await t.query('SELECT id FROM v_bioprocesses LIMIT 1')
}
