import { readTimestamp } from '../../base/time/timestamp.ts'
import type { Target } from '../connection/target.ts'
import { instantOf } from '../connection/values/instant.ts'
import type { Json } from '../connection/values/json.ts'
import type { Found } from './answers.ts'
import { keyedRows } from './keyed-rows.ts'
import { begunAt, timesOf } from './moving.ts'

/** Rows that were updated this long before the run are the same in every copy of the data, in nanoseconds. */
const SETTLED = 60_000_000_000n
/** The farthest zone from UTC, in nanoseconds. */
const FARTHEST_ZONE = 50_400_000_000_000n

/** Whether a row with this `last_updated_at` was updated a minute before the run, and one unit of its last printed digit. */
export function isAtRest(t: Target, time: Json | undefined): boolean {
  const read = typeof time === 'string' ? readTimestamp(time) : undefined
  const at = typeof time === 'string' ? instantOf(time) : undefined
  if (!read || at === undefined) return false
  const zone = read.zone === undefined ? FARTHEST_ZONE : 0n
  return at + BigInt(read.unit) + SETTLED + zone <= BigInt(begunAt(t)) * 1_000_000n
}

/** The keys that answers over one view show, without those that one of them shows twice: a record may be archived twice. */
export function uniqueRows(found: Found): Set<string> {
  const [all, repeated] = [new Set<string>(), new Set<string>()]
  for (const one of found) {
    if (one.joined) continue
    const own = new Set<string>()
    for (const { key } of keyedRows(one)) (own.has(key) ? repeated : own).add(key)
    for (const key of own) all.add(key)
  }
  for (const key of repeated) all.delete(key)
  return all
}

/** The keys of the unique rows that all answers show with one `last_updated_at`, at rest. */
export function restingRows(t: Target, found: Found): Set<string> {
  const times = timesOf(found)
  const isResting = (key: string) => {
    const [time, ...others] = times.get(key) ?? []
    return others.length === 0 && isAtRest(t, time)
  }
  return new Set([...uniqueRows(found)].filter(isResting))
}
