import { implement } from '../implement.ts'
import type { ViewChange, ViewChanges } from '../view-change.ts'

/** A view that no statement may read. */
export interface Withheld {
  readonly view: string
  /** Whether the refusal names the view, or says that there is none. */
  readonly as: 'denied' | 'hidden'
}

/** What a token may not do. */
export interface Permission {
  /** How many statements a token is good for before it expires. */
  readonly statementsPerToken?: number
  readonly withheld?: Withheld
  /** The HTTP status of a refusal that names the withheld view. */
  readonly deniedStatus?: number
  readonly views?: ViewChanges
}

const view = 'v_formula_results'

/** The first experiment with runs that have started, so that it has rows in each view. */
const hidden = '(SELECT min(parent_id) FROM plant.bioprocesses WHERE run_start_timestamp IS NOT NULL)'
const hiddenRuns = `(SELECT run.id FROM plant.bioprocesses AS run WHERE run.parent_id = ${hidden})`
const ofVisibleRun: ViewChange = { where: `base.bioprocess_id NOT IN ${hiddenRuns}` }

/** Leaves out the rows of one experiment. */
const withoutExperiment: ViewChanges = {
  v_experiments: { where: `base.id IS DISTINCT FROM ${hidden}` },
  v_bioprocesses: { where: `base.parent_id IS DISTINCT FROM ${hidden}` },
  v_bioprocess_quantity_data: ofVisibleRun,
  v_timeseries: ofVisibleRun,
  v_formula_results: ofVisibleRun,
  v_timeseries_data: {
    where: `base.id NOT IN (SELECT series.id FROM plant.timeseries AS series WHERE series.bioprocess_id IN ${hiddenRuns})`,
  },
}

export const permission = implement<'auth.permission', Permission>('auth.permission', {
  none: {},
  '401-mid-run': { statementsPerToken: 50 },
  403: { withheld: { view, as: 'denied' }, deniedStatus: 403 },
  'permission-denied': { withheld: { view, as: 'denied' }, deniedStatus: 200 },
  'rows-filtered': { views: withoutExperiment },
  'view-hidden': { withheld: { view, as: 'hidden' } },
})
