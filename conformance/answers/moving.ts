import { contract, type ViewName } from '../../schemas/index.ts'
import { PLAIN_STATEMENT } from '../connection/http/client.ts'
import { sleep } from '../../base/until-aborted.ts'
import { isSameValue } from '../comparisons/same-value.ts'
import type { Json } from '../connection/values/json.ts'
import type { Target } from '../connection/target.ts'
import { newest, updatesOf } from '../connection/values/updates.ts'
import { rowsIn, type Found, type ViewRows } from './answers.ts'
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

/** Whether the answers of the run so far show that the data change. Sends no request. */
export const dataMoves = (t: Target): boolean => contract.views.some((view) => viewMoves(t, view))

/**
 * Whether the answers of the run so far show that a view changes: a row has two times of its last update, or one during the run, or a
 * repeated statement another newest row. Of answers to requests that had others beside them, which a target may mix up, only updates
 * during the run count. Sends no request.
 */
export function viewMoves(t: Target, view: ViewName): boolean {
  const found = [...rowsIn(t, view)]
  if (found.some((one) => hasUpdateDuringRun(t, one))) return true
  const alone = found.filter(({ answer }) => answer.reply.exchange.isAlone)
  return movedIn(alone).size > 0 || hasNewRows(alone)
}

/**
 * Whether rows change during the run, and an answer shows an earlier update of a row than one that had come before its request: a
 * cache or a copy is behind. Deltas do not count, since a wrong one shows wrong times. Sends no request.
 */
export const showsOlder = (t: Target): boolean =>
  contract.views.some((view) => {
    const found = [...rowsIn(t, view)].filter(({ answer }) => !answer.statement!.filtered)
    if (!found.some((one) => hasUpdateDuringRun(t, one))) return false
    const last = new Map<string, { update: bigint; at: number }>()
    for (const one of found) {
      const { endedAt = 0, durationMs } = one.answer.reply.exchange
      for (const { key, row } of keyedRows(one)) {
        const update = newest(updatesOf([row]))
        const before = last.get(key)
        if (update === undefined) continue
        if (before && update < before.update && endedAt - durationMs > before.at) return true
        if (!before || update > before.update) last.set(key, { update, at: endedAt })
      }
    }
    return false
  })

/** Whether answers of the run show an update during the run, so that the data change for certain. Sends no request. */
export const showsUpdates = (t: Target): boolean =>
  contract.views.some((view) => [...rowsIn(t, view)].some((one) => hasUpdateDuringRun(t, one)))

/** How far the clock of a target may be ahead, in milliseconds. Rows that are dated later need not have changed. */
const MOST_AHEAD = 60_000

function hasUpdateDuringRun(t: Target, { rows }: Pick<ViewRows, 'rows'>): boolean {
  const [from, to] = [begunAt(t), Date.now() + MOST_AHEAD].map((ms) => BigInt(ms) * 1_000_000n)
  return updatesOf(rows).some((update) => update > from! && update <= to!)
}

/** When the run began, by the clock of the suite or of the target, whichever is behind, in milliseconds since 1970. */
export function begunAt({ client: { since, answers } }: Target): number {
  const date = Date.parse(answers[0]?.response!.headers.get('date') ?? '')
  return Number.isNaN(date) ? since : Math.min(since, date)
}

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
  if (Math.random() < 0.5) await t.query(PLAIN_STATEMENT)
}
