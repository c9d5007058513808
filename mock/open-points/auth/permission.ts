import { implement } from '../implement.ts'
import type { ViewChange, ViewChanges } from '../view-change.ts'

/** What a token may not do. */
export interface Permission {
  /** How many statements a token is good for before it expires. */
  readonly statementsPerToken?: number
  /** The HTTP status of a refusal that names the withheld view. Undefined: the refusal says that the view does not exist. */
  readonly deniedStatus?: number
  readonly views?: ViewChanges
}

const withheld: ViewChanges = { v_formula_results: { isWithheld: true } }

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
  403: { views: withheld, deniedStatus: 403 },
  'permission-denied': { views: withheld, deniedStatus: 200 },
  'rows-filtered': { views: withoutExperiment },
  'view-hidden': { views: withheld },
})
