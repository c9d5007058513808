import { plain, type JsonObject } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { msBetween, near } from '../durations.ts'
import { defineProbe } from '../probe.ts'
import { only, rowsOf, tally, unlessEmpty } from '../reading.ts'

/** Between which times the duration of a row counts; nothing where both are as far apart. */
function boundsIn(row: JsonObject): string[] {
  const duration = plain(row['duration_ms'] ?? null)
  const run = msBetween(row['run_start_timestamp'], row['run_end_timestamp'])
  const record = msBetween(row['start_timestamp'], row['end_timestamp'])
  if (typeof duration !== 'number' || run === undefined || record === undefined) return []
  if (near(run, record)) return []
  return [near(run, duration) ? 'run' : near(record, duration) ? 'record' : 'other']
}

export const probe = defineProbe('bioprocesses.duration', {
  read: async (t: Target) => unlessEmpty((await rowsOf(t, 'v_bioprocesses')).flatMap(boundsIn)),
  seen: (bounds) => `in rows: ${tally(bounds)}`,
  variants: {
    run: only('run'),
    record: only('record'),
    other: only('other'),
  },
})
