import { contract, type ViewName } from '../../schemas/index.ts'
import { sleep } from '../../base/until-aborted.ts'
import { isSameValue } from '../comparisons/same-value.ts'
import type { Json } from '../connection/values/json.ts'
import type { Target } from '../connection/target.ts'
import { newest, updatesOf } from '../connection/values/updates.ts'
import { rowsIn, type Found } from './answers.ts'
import { keyedRows } from './keyed-rows.ts'

/** The times of the last update of each row in some answers, by key. A row that has not changed has one. */
export function timesOf(found: Found): Map<string, Json[]> {
  const times = new Map<string, Json[]>()
  for (const one of found)
    for (const { key, row } of keyedRows(one)) {
      const time = row[contract.delta.column] ?? null
      if (time === null) continue
      const known = times.get(key)
      if (!known) times.set(key, [time])
      else if (!known.some((each) => isSameValue(each, time))) known.push(time)
    }
  return times
}

/** The keys of rows whose `last_updated_at` differs between answers of the run so far. */
export const movedRows = (t: Target, view: ViewName): Set<string> => movedIn([...rowsIn(t, view)])

const movedIn = (found: Found): Set<string> =>
  new Set([...timesOf(found)].flatMap(([key, times]) => (times.length > 1 ? [key] : [])))

/**
 * Whether the answers of the run so far show that the data change: a row has two times of its last update, or a repeated statement
 * another newest row. Reads only answers to requests that had no other beside them, because a target may mix up the others.
 * Sends no request.
 */
export const dataMoves = (t: Target): boolean =>
  contract.views.some((view) => {
    const alone = [...rowsIn(t, view)].filter(({ answer }) => answer.reply.exchange.isAlone)
    return movedIn(alone).size > 0 || hasNewRows(alone)
  })

/** Whether a repeated statement has shown another newest row of a view. */
function hasNewRows(found: Found): boolean {
  const newestOf = new Map<string, bigint>()
  for (const { joined, rows, answer } of found) {
    const last = joined ? undefined : newest(updatesOf(rows))
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
