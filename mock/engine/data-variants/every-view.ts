import { views } from '../../../schemas/views.ts'
import type { ViewName } from '../../../schemas/generated/types.ts'
import type { Change, Changes, Expression, ViewChange } from './view-change.ts'

/** The same change of every view that has a column, or of all. */
function everyView(change: ViewChange, having?: string): Change {
  const names = views
    .filter(({ columns }) => having === undefined || columns.some(({ name }) => name === having))
    .map(({ name }) => name)
  return Object.fromEntries(names.map((name): [ViewName, ViewChange] => [name, change]))
}

/** What a database holds that was filled from a data frame: numbers that are missing are NaN. */
const notANumber: Change = {
  v_quantities: { columns: { molar_mass: (own) => `coalesce(${own}, 'NaN')` } },
  v_timeseries_data: { columns: { value: (own) => `coalesce(${own}, 'NaN')` } },
}

/** Above 2^53, and odd ones among them: a reader with 53 bits gets another number. */
const beyondDouble: Expression = (own) => `9007199254740992 + round(${own}::numeric * 1000)`

const asText: Expression = (own) =>
  `to_char(${own} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') COLLATE "C"`

/** The experiment whose rows are hidden: the first one that has runs. */
const hidden = '(SELECT min(parent_id) FROM plant.bioprocesses)'
const hiddenRuns = `(SELECT run.id FROM plant.bioprocesses AS run WHERE run.parent_id = ${hidden})`
const ofVisibleRun: ViewChange = { where: `base.bioprocess_id NOT IN ${hiddenRuns}` }

const filtered: Change = {
  v_experiments: { where: `base.id IS DISTINCT FROM ${hidden}` },
  v_bioprocesses: { where: `base.parent_id IS DISTINCT FROM ${hidden}` },
  v_bioprocess_quantity_data: ofVisibleRun,
  v_timeseries: ofVisibleRun,
  v_formula_results: ofVisibleRun,
  v_timeseries_data: {
    where: `base.id NOT IN (SELECT series.id FROM plant.timeseries AS series WHERE series.bioprocess_id IN ${hiddenRuns})`,
  },
}

/** The knobs that reach across views. */
export const everyViewChanges = {
  'numbers.non-finite': { 'quoted-nan': notANumber, 'bare-nan': notANumber },
  'numbers.encoding': { 'big-integer': { v_quantities: { columns: { molar_mass: beyondDouble } } } },
  'delta.zone': { 'text-comparison': everyView({ columns: { last_updated_at: asText } }, 'last_updated_at') },
  // behind the others, which would bring the column back
  'timeseries-data.last-updated-at': {
    absent: { v_timeseries_data: { columns: { last_updated_at: null } } },
  },
  'schema.extra': { additive: everyView({ columns: { site: () => `'Plant 1'::text` } }) },
  'auth.permission': { 'rows-filtered': filtered },
} satisfies Record<string, Changes>
