import { plain, type JsonObject } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { msBetween, near } from '../durations.ts'
import { defineProbe } from '../probe.ts'
import { only, rowsOf, tally, unlessEmpty } from '../reading.ts'

/** From where the times of one series and its offset count; nothing where several origins fit. */
function originOf(row: JsonObject, run: JsonObject | undefined): string[] {
  const { timeseries, timeseries_offset_ms: offset } = plain(row) as Record<string, unknown>
  const [first] = (timeseries as { times_ms?: unknown[] } | null)?.times_ms ?? []
  const start = row['timeseries_start_timestamp']
  const intoRun = msBetween(run?.['run_start_timestamp'], start)
  const intoRecord = msBetween(run?.['start_timestamp'], run?.['run_start_timestamp'])
  const since1970 = msBetween('1970-01-01T00:00:00Z', start)
  if (typeof first !== 'number' || typeof offset !== 'number' || intoRun === undefined) return []
  const fitting = [
    ...(near(intoRun, offset) && near(0, first) ? ['series-start'] : []),
    ...(near(intoRecord, offset) && near(intoRun, first) ? ['run-start'] : []),
    ...(near(since1970, offset) && near(since1970, first) ? ['epoch'] : []),
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
