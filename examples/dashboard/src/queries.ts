import { StatementError } from 'bioprocess-sql-contract/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useService } from './service'

/** A point of a series: hours since the start of the run, and the value. */
export type Point = readonly [hours: number, value: number]

const runColumns = ['id', 'name', 'status', 'qc', 'run_start_timestamp'] as const

/** A failure that may be over soon is tried twice more. A statement that took too long is not: it would take as long again. */
const retry = (count: number, error: Error) => error instanceof StatementError && error.retryable && count < 2

export function useRuns() {
  const service = useService()
  return useQuery({
    queryKey: ['runs'],
    retry,
    retryDelay: 50,
    queryFn: async () => {
      const runs = await service.views.v_bioprocesses.select({ columns: runColumns })
      return runs.toSorted((a, b) => (b.run_start_timestamp ?? '').localeCompare(a.run_start_timestamp ?? ''))
    },
  })
}

/** The points of a quantity in some runs, by run. Reading again asks for newer points only. */
export function useOverlay(runs: readonly string[], quantity: string) {
  const service = useService()
  const cache = useQueryClient()
  const queryKey = ['overlay', quantity, ...runs]
  return useQuery({
    queryKey,
    retry,
    retryDelay: 50,
    enabled: runs.length > 0,
    queryFn: async () => {
      const before = cache.getQueryData<Overlay>(queryKey)
      return before ? merged(before, await pointsOf(before.newest)) : pointsOf()
    },
  })

  async function pointsOf(since?: string): Promise<Overlay> {
    const list = runs.map(quoted).join(', ')
    const rows = await service.query<Row>(
      `SELECT s.bioprocess_id AS run, d.timestamp, d.value, d.last_updated_at, b.run_start_timestamp AS start
       FROM v_timeseries_data d
       LEFT JOIN v_timeseries s ON d.id = s.id
       LEFT JOIN v_bioprocesses b ON s.bioprocess_id = b.id
       LEFT JOIN v_quantities q ON s.quantity_id = q.id
       WHERE q.name = ${quoted(quantity)} AND s.bioprocess_id IN (${list})
       ${since ? `AND d.last_updated_at > ${quoted(since)}` : ''}`,
    )
    const series = new Map<string, Point[]>()
    let newest = since ?? ''
    for (const { run, timestamp, value, last_updated_at, start } of rows) {
      if (last_updated_at > newest) newest = last_updated_at
      if (value === null || start === null) continue
      const hours = (Date.parse(timestamp) - Date.parse(start)) / 3_600_000
      series.set(run, [...(series.get(run) ?? []), [hours, value]])
    }
    for (const points of series.values()) points.sort(([a], [b]) => a - b)
    return { series, newest }
  }
}

interface Row {
  run: string
  timestamp: string
  value: number | null
  last_updated_at: string
  start: string | null
}

export interface Overlay {
  readonly series: ReadonlyMap<string, readonly Point[]>
  /** `last_updated_at` of the newest point. */
  readonly newest: string
}

/** Newer points replace those of the same time. */
function merged(before: Overlay, newer: Overlay): Overlay {
  const series = new Map(before.series)
  for (const [run, points] of newer.series) {
    const byTime = new Map([...(series.get(run) ?? []), ...points])
    series.set(
      run,
      [...byTime].toSorted(([a], [b]) => a - b),
    )
  }
  return { series, newest: newer.newest > before.newest ? newer.newest : before.newest }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
