import { joinProduct } from '../run-list.ts'
import type { Service } from '../service/service.ts'
import { type Run, runColumns, runOf } from './runs.ts'

export type Catalogue = Awaited<ReturnType<typeof readCatalogue>>

/** Reads the runs of a service that have started, latest first, and their series. */
export async function readCatalogue(service: Service, signal?: AbortSignal) {
  const [runs, series] = await Promise.all([
    service.read(`SELECT ${runColumns} FROM v_bioprocesses b ${joinProduct}`, signal),
    service.read(
      'SELECT t.id, t.bioprocess_id, q.name, t.unit FROM v_timeseries t LEFT JOIN v_quantities q ON t.quantity_id = q.id',
      signal,
    ),
  ])
  return {
    runs: runs.flatMap((row) => runOf(row) ?? []).toSorted((a, b) => b.start - a.start),
    series: series.map(([id, runId, quantity, unit]) => ({
      id: String(id),
      runId: String(runId),
      quantity: String(quantity),
      unit: String(unit ?? ''),
    })),
  }
}

/** The first part of the name of a run, such as EC. */
const kindOf = ({ name }: Run) => name.split(/[-\s]/)[0]

/** Runs to begin with: the latest three of a kind that are complete, with events to align on; of a live plant those in progress. */
export function firstRuns({ runs }: Catalogue, isLive: boolean): readonly string[] {
  const running = runs.filter(({ status }) => status === 'In-progress')
  const completed = runs.filter(({ status }) => status === 'Completed')
  const ended = completed.find(({ feed, induction }) => feed && induction) ?? completed[0]
  const [best, among] = isLive && running[0] ? [running[0], running] : [ended, completed]
  const alike = best ? among.filter((run) => kindOf(run) === kindOf(best)) : runs
  return alike.slice(0, 3).map(({ id }) => id)
}

/** The quantities of some runs, those of most runs first. */
export function quantitiesOf({ series }: Catalogue, runIds: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { runId, quantity } of series)
    if (runIds.includes(runId)) counts.set(quantity, (counts.get(quantity) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name)
}
