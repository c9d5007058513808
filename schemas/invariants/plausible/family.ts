import { isSameInstant, isoOf, microsOf, type Micros } from '../evidence/instant.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Run, RunSeries } from '../evidence/run.ts'
import {
  nameOf,
  together,
  unless,
  type Invariant,
  type Judgement,
  type Problems,
  type Row,
} from '../invariant.ts'
import { say, words, type Message } from '../message.ts'
import { parentsIn } from './events.ts'

const ofParents = { judges: ['v_bioprocesses'], whole: ['v_experiments'] } as const

export const resolved: Invariant = together(
  'P5',
  'parent_id names an experiment',
  ofParents,
  function* (evidence) {
    const experiments = evidence.byId('v_experiments')
    for (const row of evidence.rows('v_bioprocesses')) {
      const parent = row['parent_id'] ?? null
      if (parent === null) continue
      const problems = unless(
        experiments.has(String(parent)),
        say`parent_id ${parent} is not in v_experiments.`,
      )
      yield { view: 'v_bioprocesses', row: nameOf(row), problems }
    }
  },
)

/** P37: the schedule of a child, and its run as far as it went, lie within the schedule of its experiment. */
export const scheduled: Invariant = together(
  'P37',
  'Children lie within the schedule of their experiment',
  ofParents,
  function* (evidence) {
    const experiments = evidence.byId('v_experiments')
    for (const row of evidence.rows('v_bioprocesses')) {
      const parent = experiments.get(String(row['parent_id']))
      const problems = parent && outside(row, parent)
      if (problems) yield { view: 'v_bioprocesses', row: nameOf(row), problems }
    }
  },
)

const childTimes = [
  'scheduled_start_timestamp',
  'scheduled_end_timestamp',
  'run_start_timestamp',
  'run_end_timestamp',
]

function outside(child: Row, parent: Row): Problems | undefined {
  const { scheduled_start_timestamp: from, scheduled_end_timestamp: to } = parent
  const known = childTimes.filter((column) => !Number.isNaN(microsOf(child[column])))
  if (known.length === 0 || Number.isNaN(microsOf(from) + microsOf(to))) return undefined
  return known.flatMap((column) => {
    const time = microsOf(child[column])
    const inside = time >= microsOf(from) && time <= microsOf(to)
    return unless(inside, say`${words(column)} ${child[column]} is outside of ${from} to ${to}.`)
  })
}

/** P33, where the lineage lists parents with a bioprocess_id that was read. */
export const lineage: Invariant = together(
  'P33',
  'No run descends from itself, and seeds end before their children start',
  { judges: ['v_bioprocesses'], whole: ['v_bioprocesses'] },
  function* (evidence) {
    const rows = evidence.byId('v_bioprocesses')
    for (const [id, row] of rows) {
      const parents = parentsIn(row).flatMap((parent): Row | readonly [] => rows.get(parent) ?? [])
      if (parents.length === 0) continue
      const start = microsOf(row['run_start_timestamp'])
      const late = parents.filter(
        (parent) => !Number.isNaN(start) && !(microsOf(parent['run_end_timestamp']) <= start),
      )
      yield {
        view: 'v_bioprocesses',
        row: id,
        problems: [
          ...unless(!isOwnAncestor(id, rows), say`It descends from itself.`),
          ...late.map(
            (parent) =>
              say`Its seed ${parent['id']} ends at ${parent['run_end_timestamp']}, it starts at ${row['run_start_timestamp']}.`,
          ),
        ],
      }
    }
  },
)

function isOwnAncestor(id: string, rows: ReadonlyMap<string, Row>): boolean {
  const seen = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const parent of parentsIn(rows.get(next) ?? {})) {
      if (parent === id) return true
      if (!seen.has(parent)) open.push(parent)
      seen.add(parent)
    }
  }
  return false
}

/**
 * P30: what was measured offline names the removal event of its sample and has its time; every sample of a completed
 * run was measured. Judged where data_item_id names such events at all: the contract does not show what it identifies.
 */
export const samples: Invariant = together(
  'P30',
  'Offline points name the event of their sample',
  {
    judges: ['v_timeseries', 'v_bioprocesses'],
    whole: ['v_timeseries', 'v_timeseries_data', 'v_bioprocesses'],
  },
  function* (evidence) {
    const removals = removalsOf(evidence)
    const linked = [...evidence.points.values()].some(({ items }) =>
      items?.some((item) => item && removals.has(item)),
    )
    if (!linked) return
    for (const run of evidence.runs) {
      const measured = new Set<string>()
      for (const series of run.series) {
        const problems = itemProblems(run, series, removals, measured)
        if (problems) yield { view: 'v_timeseries', row: series.id, problems }
      }
      if (measured.size === 0 || run.status !== 'Completed') continue
      const idle = run
        .eventsWith('removal_type', 'Sample')
        .filter(({ event }) => !measured.has(String(event['id'])))
      const message = say`Nothing was measured in the sample ${idle[0]?.event['id']}.`
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

function removalsOf({ runs }: Evidence): Map<string, Removal> {
  const removals = new Map<string, Removal>()
  for (const run of runs)
    for (const { event, time } of run.events)
      if ('removal_type' in event && 'id' in event) removals.set(String(event['id']), { run: run.id, time })
  return removals
}

/** Judges the points of a series that name an item, and adds the items to those that were measured. */
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
    if (removal?.run !== run.id) problems.push(say`data_item_id ${item} is no removal of its run.`)
    else if (!Number.isNaN(removal.time) && !isSameInstant(removal.time, points.times[i]!))
      problems.push(
        say`The sample ${item} was taken at ${isoOf(removal.time)}, its point is at ${isoOf(points.times[i]!)}.`,
      )
    if (problems.length > 2) break
  }
  return problems
}
