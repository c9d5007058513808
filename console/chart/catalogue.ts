import type { Service } from '../service/service.ts'
import { type Run, runColumns, runOf } from './runs.ts'

/** A series of a run. */
export interface Series {
  readonly id: string
  readonly runId: string
  readonly quantity: string
  readonly unit: string
}

/** The runs that have started, latest first, and their series. */
export interface Catalogue {
  readonly runs: readonly Run[]
  readonly series: readonly Series[]
  /** The product of each run that has one. */
  readonly products: ReadonlyMap<string, string>
}

/** Reads the runs and series of a service. */
export async function readCatalogue(service: Service, signal?: AbortSignal): Promise<Catalogue> {
  const [runs, series, products] = await Promise.all([
    service.read(`SELECT ${runColumns.join(', ')} FROM v_bioprocesses`, signal),
    service.read(
      'SELECT t.id, t.bioprocess_id, q.name, t.unit FROM v_timeseries t LEFT JOIN v_quantities q ON t.quantity_id = q.id',
      signal,
    ),
    service.read(
      "SELECT d.bioprocess_id, d.value FROM v_bioprocess_quantity_data d LEFT JOIN v_quantities q ON d.quantity_id = q.id WHERE q.name = 'Product'",
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
    products: new Map(products.map(([runId, product]) => [String(runId), String(product)])),
  }
}

/**
 * Runs to begin with: of the kind with the most events to align on, the latest three that are complete; of a live plant those in
 * progress.
 */
export function firstRuns({ runs }: Catalogue, isLive: boolean): readonly string[] {
  const running = runs.filter(({ status }) => status === 'In-progress')
  if (isLive && running.length > 0) return running.slice(0, 3).map(({ id }) => id)
  const kinds = new Map<string, Run[]>()
  for (const run of runs.filter(({ status }) => status === 'Completed')) {
    const kind = `${Number(run.induction !== undefined) + Number(run.feed !== undefined)} ${run.name.split(/[-\s]/)[0]}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), run])
  }
  const [best] = [...kinds].sort(
    ([a, of], [b, other]) => Math.min(other.length, 3) - Math.min(of.length, 3) || (a < b ? 1 : -1),
  )
  return (best?.[1] ?? runs).slice(0, 3).map(({ id }) => id)
}

/** The quantities of some runs, those of most runs first. */
export function quantitiesOf({ series }: Catalogue, runIds: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { runId, quantity } of series)
    if (runIds.includes(runId)) counts.set(quantity, (counts.get(quantity) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name)
}
