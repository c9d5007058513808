import { isLater, microsOf } from '../rows/instant.ts'
import { together, unless, type Invariant, type Problems } from '../invariant.ts'
import { keyOf, nameOf, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'
import { parentsIn } from './events.ts'

const ofParents = { judges: ['v_bioprocesses'], whole: ['v_experiments'] } as const

export const resolved: Invariant = together(
  'P5',
  'parent_id names an experiment',
  ofParents,
  function* (store) {
    const experiments = store.byId('v_experiments')
    for (const row of store.rows('v_bioprocesses')) {
      const parent = row['parent_id'] ?? null
      if (parent === null) continue
      const problems = unless(
        experiments.has(keyOf(parent)),
        say`parent_id ${parent} is not in v_experiments.`,
      )
      yield { view: 'v_bioprocesses', row: nameOf(row), problems }
    }
  },
)

/** P37: the schedule and the run of a bioprocess lie within the schedule of its experiment. */
export const scheduled: Invariant = together(
  'P37',
  'Bioprocesses lie within the schedule of their experiment',
  ofParents,
  function* (store) {
    const experiments = store.byId('v_experiments')
    for (const row of store.rows('v_bioprocesses')) {
      const parent = experiments.get(keyOf(row['parent_id']))
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
    const inside = !isLater(from, child[column]) && !isLater(child[column], to)
    return unless(inside, say`${words(column)} ${child[column]} is not between ${from} and ${to}.`)
  })
}

/** P33, judged for parents in the lineage whose bioprocess_id was read. */
export const lineage: Invariant = together(
  'P33',
  'No run descends from itself, and seed runs end before their children start',
  { judges: ['v_bioprocesses'], whole: ['v_bioprocesses'] },
  function* (store) {
    const rows = store.byId('v_bioprocesses')
    for (const [id, row] of rows) {
      const parents = parentsIn(row)
        .map((parent) => rows.get(parent))
        .filter((parent) => parent !== undefined)
      if (parents.length === 0) continue
      const start = row['run_start_timestamp']
      const late = parents.filter(
        ({ run_end_timestamp: end }) =>
          !Number.isNaN(microsOf(start)) && (Number.isNaN(microsOf(end)) || isLater(end, start)),
      )
      yield {
        view: 'v_bioprocesses',
        row: id,
        problems: [
          ...unless(!isOwnAncestor(id, rows), say`The run descends from itself.`),
          ...late.map(
            (parent) =>
              say`The run starts at ${row['run_start_timestamp']}, but its seed run ${parent['id']} ends at ${parent['run_end_timestamp']}.`,
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
