import { amongExperiments } from '../../../invariants/index.ts'
import { show } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { check, compared, fail, notExercised, type Finding } from '../check.ts'
import { findConcurrentChange } from '../findings/concurrent-change.ts'

/** A parent is misplaced only if the same record is in both views and a run names it as its parent. */
async function parentsApart(t: Target): Promise<Finding> {
  const runs = await t.sample('v_bioprocesses')
  const experiments = await t.sample('v_experiments')
  const isExperiment = amongExperiments(experiments.rows)
  const parents = new Set(
    runs.rows.flatMap(({ parent_id: parent }) => (typeof parent === 'string' ? [parent] : [])),
  )
  const misplaced = runs.rows.find((row) => parents.has(String(row['id'])) && isExperiment(row))
  const change = misplaced && (await findConcurrentChange(t, 'compared', runs, experiments))
  if (change) return change
  if (misplaced)
    return fail({
      message: `the experiment ${show(misplaced['id'])} is a row of v_bioprocesses too`,
      expected: 'parents of bioprocesses only in v_experiments',
      actual: `${show([misplaced['id'] ?? null, misplaced['external_id'] ?? null])} with the same values in both views, and named by a parent_id`,
      exchanges: [experiments.reply.exchange, runs.reply.exchange],
    })
  if (experiments.rows.length === 0) return notExercised('v_experiments has no rows')
  const sentence = 'none is an experiment that others name as their parent'
  return compared(runs.rows.length, 'bioprocess', sentence, {}, 2)
}

export const experimentParentsCheck = check({
  id: 'experiments.parents',
  requirement: 'REQ-VIEW-PARENTS',
  title: 'keep parents in v_experiments, out of v_bioprocesses',
  killedBy: ['parents-in-bioprocesses'],
  run: parentsApart,
})
