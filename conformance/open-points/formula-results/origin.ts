import { isObject, plain, type JsonObject } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { msBetween, near } from '../durations.ts'
import { defineProbe } from '../probe.ts'
import { only, rowsOf, tally, unlessEmpty } from '../reading.ts'

/** From where the times of one series and its offset count; nothing where several origins fit. */
function originOf(row: JsonObject, run: JsonObject | undefined): string[] {
  const { timeseries = null, timeseries_offset_ms: offset = null } = row
  const times = isObject(timeseries) ? timeseries['times_ms'] : undefined
  const [first, offsetMs] = [Array.isArray(times) ? (times[0] ?? null) : null, offset].map(plain)
  const start = row['timeseries_start_timestamp']
  const intoRun = msBetween(run?.['run_start_timestamp'], start)
  const intoRecord = msBetween(run?.['start_timestamp'], run?.['run_start_timestamp'])
  const since1970 = msBetween('1970-01-01T00:00:00Z', start)
  if (typeof first !== 'number' || typeof offsetMs !== 'number' || intoRun === undefined) return []
  const fitting = [
    ...(near(intoRun, offsetMs) && near(0, first) ? ['series-start'] : []),
    ...(near(intoRecord, offsetMs) && near(intoRun, first) ? ['run-start'] : []),
    ...(near(since1970, offsetMs) && near(since1970, first) ? ['epoch'] : []),
  ]
  return fitting.length === 0 ? ['other'] : fitting.length === 1 ? fitting : []
}

export const probe = defineProbe('formula-results.origin', {
  read: async (t: Target) => {
    const runs = new Map((await rowsOf(t, 'v_bioprocesses')).map((run) => [run['id'], run]))
    const rows = await rowsOf(t, 'v_formula_results')
    return unlessEmpty(rows.flatMap((row) => originOf(row, runs.get(row['bioprocess_id']))))
  },
  seen: (origins) => `in series: ${tally(origins)}`,
  variants: {
    'series-start': only('series-start'),
    'run-start': only('run-start'),
    epoch: only('epoch'),
  },
})
