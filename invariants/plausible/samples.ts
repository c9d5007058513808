import type { RowStore } from '../rows/row-store.ts'
import { hour, isoOf, isSameInstant, type Micros } from '../rows/instant.ts'
import type { Run, RunSeries } from '../rows/run.ts'
import { together, unless, type Invariant, type Judgement, type Problems } from '../invariant.ts'
import { keyOf } from '../rows/row.ts'
import { say, type Message } from '../message.ts'

/** The time in which a sample waits for its first result. */
const waiting = 12 * hour

/**
 * P30: a point measured offline refers to the removal event of its sample and has the same time, and each sample of a
 * completed run has a point, unless it was taken shortly before the rows were read. Judged if data_item_id refers to removal events at all: the contract leaves that open.
 */
export const samples: Invariant = together(
  'P30',
  'Offline points refer to the removal event of their sample',
  {
    judges: ['v_timeseries', 'v_bioprocesses'],
    whole: ['v_timeseries', 'v_timeseries_data', 'v_bioprocesses'],
  },
  function* (store) {
    const removals = removalsOf(store)
    const linked = [...store.points.values()].some(({ items }) =>
      items?.some((item) => item && removals.has(item)),
    )
    if (!linked) return
    for (const run of store.runs) {
      const measured = new Set<string>()
      for (const series of run.series) {
        const problems = itemProblems(run, series, removals, measured)
        if (problems) yield { view: 'v_timeseries', row: series.id, problems }
      }
      if (measured.size === 0 || run.status !== 'Completed') continue
      const idle = run
        .eventsWith('removal_type', 'Sample')
        .filter(({ event, time }) => !measured.has(keyOf(event['id'])) && !(time > store.now - waiting))
      const message = say`No point refers to the sample ${idle[0]?.event['id']}.`
      yield {
        view: 'v_bioprocesses',
        row: run.id,
        problems: unless(idle.length === 0, message),
      } satisfies Judgement
    }
  },
)

interface Removal {
  run: string
  time: Micros
}

function removalsOf({ runs }: RowStore): Map<string, Removal> {
  const removals = new Map<string, Removal>()
  for (const run of runs)
    for (const { event, time } of run.events)
      if ('removal_type' in event && 'id' in event) removals.set(keyOf(event['id']), { run: run.id, time })
  return removals
}

/** Judges the points of a series that have a data_item_id, and adds these to `measured`. */
function itemProblems(
  run: Run,
  { points }: RunSeries,
  removals: ReadonlyMap<string, Removal>,
  measured: Set<string>,
): Problems | undefined {
  const items = points?.items
  if (!points || !items) return undefined
  const problems: Message[] = []
  for (const [i, item] of items.entries()) {
    if (typeof item !== 'string') continue
    measured.add(item)
    const removal = removals.get(item)
    if (removal?.run !== run.id)
      problems.push(say`data_item_id ${item} is not a removal event of the same run.`)
    else if (!Number.isNaN(removal.time) && !isSameInstant(removal.time, points.times[i]!))
      problems.push(
        say`The sample ${item} was taken at ${isoOf(removal.time)}, but its point is at ${isoOf(points.times[i]!)}.`,
      )
    if (problems.length > 2) break
  }
  return problems
}
