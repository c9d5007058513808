import { contract, type ViewName } from '../../schemas/index.ts'
import { sleep } from '../../schemas/until-aborted.ts'
import { isSameValue } from '../comparisons/same-value.ts'
import type { Json } from '../connection/json.ts'
import type { Target } from '../connection/target.ts'
import { newest, updatesOf } from '../connection/updates.ts'
import { rowsIn } from './answers.ts'
import { keyedRows } from './keyed-rows.ts'

/** The keys of rows whose `last_updated_at` differs between answers of the run so far. */
export function movedRows(t: Target, view: ViewName): Set<string> {
  const times = new Map<string, Json>()
  const moved = new Set<string>()
  for (const one of rowsIn(t, view))
    for (const { key, row } of keyedRows(one)) {
      const time = row[contract.delta.column]
      if (time === undefined || time === null) continue
      if (isSameValue(times.get(key) ?? time, time)) times.set(key, time)
      else moved.add(key)
    }
  return moved
}

/** The share of rows that two answers to one statement have in common; a target that mixes up answers shows other rows. */
const MOST_ROWS = 0.8

/** Whether a repeated statement has shown another newest row of a view, among mostly the same rows. */
function hasNewRows(t: Target, view: ViewName): boolean {
  const shown = new Map<string, { last: bigint; keys: Set<string> }>()
  for (const one of rowsIn(t, view)) {
    const { joined, rows, answer } = one
    const last = joined ? undefined : newest(updatesOf(rows))
    if (last === undefined || answer.sql === undefined) continue
    const keys = new Set(keyedRows(one).map(({ key }) => key))
    const earlier = shown.get(answer.sql)
    shown.set(answer.sql, { last, keys })
    if (!earlier || earlier.last === last) continue
    const common = [...keys].filter((key) => earlier.keys.has(key)).length
    if (common >= MOST_ROWS * Math.max(keys.size, earlier.keys.size)) return true
  }
  return false
}

/** Whether the answers of the run so far show that the data change during the run. Sends no request. */
export const dataMoves = (t: Target): boolean =>
  contract.views.some((view) => movedRows(t, view).size > 0 || hasNewRows(t, view))

/**
 * Waits for a random time, and sends a statement half of the time: data may change at a fixed rate, and copies of them may take
 * turns.
 */
export async function anyMoment(t: Target): Promise<void> {
  await sleep(Math.random() * 60, undefined)
  if (Math.random() < 0.5) await t.query('SELECT id FROM v_bioprocesses LIMIT 1')
}
