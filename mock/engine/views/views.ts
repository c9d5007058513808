import type { ViewName } from '../../../schemas/generated/types.ts'
import { view as definitionOf, type ViewDefinition } from '../../../schemas/views.ts'
import { archivedTableName } from '../../open-points/archived-records/table-name.ts'
import { attachmentsShape } from '../../open-points/attachments/shape.ts'
import { permission } from '../../open-points/auth/permission.ts'
import { baseUnitsShape } from '../../open-points/base-units/shape.ts'
import { bioprocessDuration } from '../../open-points/bioprocesses/duration.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { deltaZone } from '../../open-points/delta/zone.ts'
import { eventDiscriminator } from '../../open-points/events/discriminator.ts'
import { formulaResultData } from '../../open-points/formula-results/data.ts'
import { formulaResultOrigin } from '../../open-points/formula-results/origin.ts'
import { scalarStatistics } from '../../open-points/formula-results/scalar-statistics.ts'
import { formulaStates } from '../../open-points/formulas/states.ts'
import { inductionShape } from '../../open-points/induction/shape.ts'
import { lineageShape } from '../../open-points/lineage/shape.ts'
import { measurementInfoShape } from '../../open-points/measurement-info/shape.ts'
import { numberEncoding } from '../../open-points/numbers/encoding.ts'
import { nonFiniteNumbers } from '../../open-points/numbers/non-finite.ts'
import { qcTypes } from '../../open-points/qc/types.ts'
import { quantityDataType } from '../../open-points/quantities/data-type.ts'
import { quantityDataValue } from '../../open-points/quantity-data/value.ts'
import { schemaAdditions } from '../../open-points/schema/extra.ts'
import { statisticsCount } from '../../open-points/statistics/count.ts'
import { standardDeviation } from '../../open-points/statistics/standard-deviation.ts'
import { pointUpdates } from '../../open-points/timeseries-data/last-updated-at.ts'
import type { Expression, ViewChange, ViewChanges } from '../../open-points/view-change.ts'
import type { EngineSettings } from '../../statement.ts'

/** The settings that change views, in the order of their application: later ones build on earlier ones. */
const inOrder: readonly ((settings: EngineSettings) => ViewChanges | undefined)[] = [
  qcTypes,
  // before the induction event, which may be a copy of an event
  eventDiscriminator,
  inductionShape,
  attachmentsShape,
  lineageShape,
  bioprocessDuration,
  measurementInfoShape,
  quantityDataValue,
  quantityDataType,
  baseUnitsShape,
  archivedTableName,
  formulaResultData,
  formulaStates,
  formulaResultOrigin,
  scalarStatistics,
  standardDeviation,
  statisticsCount,
  (settings) => nonFiniteNumbers(settings).views,
  (settings) => numberEncoding(settings).views,
  (settings) => deltaZone(settings).views,
  // after every other change of last_updated_at, which would add the column again
  pointUpdates,
  (settings) => schemaAdditions(settings).views,
  (settings) => permission(settings).views,
]

/** The views as the contract documents them. */
export const noChanges: readonly ViewChanges[] = []

/** The changes of views under some settings. The same settings always give the same objects. */
export const viewChanges = (settings: EngineSettings): readonly ViewChanges[] =>
  settings === defaultSettings ? noChanges : inOrder.flatMap((changes) => changes(settings) ?? [])

/** The names of the views that are changed. */
export const changedViews = (changes: readonly ViewChanges[]): ViewName[] => [
  ...new Set(changes.flatMap((change) => Object.keys(change) as ViewName[])),
]

/** Whether changes show in the rows of a view. Others only change who may read it. */
export const changeRows = (changes: readonly ViewChanges[]): boolean =>
  changes.some((change) => Object.values(change).some(({ columns, where }) => columns ?? where))

/** Where a view is created, and the relation that its rows come from. */
export interface ViewPlace {
  /** Default: public. */
  readonly schema?: string
  /** Default: the table of the view. */
  readonly source?: string
  /** Keeps the rows of the source that meet this condition. */
  readonly where?: string
  /** Names other relations for the tables of the plant that a changed expression reads. Default: the tables. */
  readonly relations?: (expression: string) => string
}

/**
 * The statement that creates a view with its changes: the columns in the contract's order, every value computed from
 * the table of the view.
 */
export function createView(name: ViewName, changes: readonly ViewChanges[], place: ViewPlace = {}): string {
  const { schema = 'public', source = `plant.${definitionOf(name).table}`, where: kept } = place
  const { relations = (expression) => expression } = place
  const own = changes.flatMap((change) => change[name] ?? [])
  const definition = definitionOf(name)
  const columns = [...columnsOf(definition, own)].map(([column, value]) => `${relations(value)} AS ${column}`)
  const conditions = [kept, ...own.map(({ where }) => where && relations(where))].flatMap((one) =>
    one === undefined ? [] : [`(${one})`],
  )
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  // otherwise a condition of a statement, or its estimation, meets hidden values, and an error tells them; a barrier alone lets
  // through what PostgreSQL takes for harmless, such as ARRAY[id, '{a,b}'], which fails
  const hides = own.some((change) => change.where ?? change.isWithheld)
  const [barrier, below] = hides ? [' WITH (security_barrier)', ' OFFSET 0'] : ['', '']
  return `CREATE VIEW ${schema}.${name}${barrier} AS SELECT ${columns.join(', ')} FROM ${source} AS base${where}${below}`
}

function columnsOf({ columns }: ViewDefinition, changes: readonly ViewChange[]): Map<string, string> {
  const values = new Map(columns.map(({ name }) => [name, `base.${name}`]))
  const of = (name: string) => values.get(name) ?? 'NULL'
  const set = (name: string, expression: Expression | null) => {
    if (expression === null) values.delete(name)
    else values.set(name, expression(of(name), of))
  }
  for (const { columns = {} } of changes)
    for (const [name, expression] of Object.entries(columns)) set(name, expression)
  return values
}
