import type { Admission } from '../../gate/gate.ts'
import type { Template } from '../../gate/literals.ts'
import { limitOf } from '../../gate/parameters.ts'
import { isRepeatable, mayBeClock } from '../../gate/repeatable.ts'
import { deltaZone } from '../../open-points/delta/zone.ts'
import type { ViewChanges } from '../../open-points/view-change.ts'
import type { EngineSettings } from '../../statement.ts'
import { type ColumnNamer, Result } from '../result/result.ts'
import { rowFormat } from '../result/row-format.ts'
import type { PreparedShape } from './shapes.ts'
import { nameSources } from '../result/sources.ts'
import type { SpareMemory } from '../memory/spare-memory.ts'
import { viewChanges } from '../views/views.ts'
import { concat, frontend } from '../result/wire.ts'
import type { Database } from './database.ts'
import type { Scope } from './scope.ts'
import { valuesOf } from './shape.ts'

/** How a statement runs. */
export interface Run {
  /** The messages that open the portal. */
  readonly start: Uint8Array
  readonly result: Result
  readonly scope: Scope
  /** The schema in which the database looks for views. Default: that of the scope. */
  readonly searched?: string
  /** The changes that the views of the scope need. Default: none. */
  readonly changes?: readonly ViewChanges[]
  /** The time zone of the transaction. Default: UTC. */
  readonly zone?: string | undefined
  /** Whether the rows fit the first page, so that all are read at once. */
  readonly isSmall: boolean
}

export const portal = 'rows'
const bindAndDescribe = concat(frontend.bind(portal), frontend.describePortal(portal))

/** The messages that open the portal of a statement. */
export const startOf = (statement: string): Uint8Array => concat(frontend.parse(statement), bindAndDescribe)

/** Most rows of the first page. */
export const firstPageRows = 200

const isSmall = (limit: number | undefined): boolean => limit !== undefined && limit <= firstPageRows

/** A statement that the gate admitted. */
export function admittedRun(
  { text, ordered, select, sources, spelled }: Admission,
  settings: EngineSettings,
  scope: Scope,
  database: Database,
  memory: SpareMemory,
): Run {
  const format = rowFormat(settings)
  const rename = format.keyCase?.(spelled)
  const toColumns: ColumnNamer = (fields) => {
    const columns = nameSources(fields, sources, database.viewNames)
    return rename ? columns.map((column) => ({ ...column, name: rename(column.name) })) : columns
  }
  const { sessionZone: zone } = deltaZone(settings)
  return {
    start: startOf(text),
    result: new Result({
      isRepeatable: isRepeatable(select),
      format,
      toColumns,
      mayReorder: !ordered,
      memory,
    }),
    scope,
    changes: viewChanges(settings),
    zone,
    isSmall: zone === undefined && isSmall(limitOf(select)),
  }
}

/** A statement of a shape that was prepared. */
export function shapedRun(shape: PreparedShape, template: Template, scope: Scope, memory: SpareMemory): Run {
  const values = valuesOf(shape, template)
  const result = new Result({ isRepeatable: shape.isRepeatable && !values.some(mayBeClock), memory })
  result.describe(shape.fields)
  return {
    start: frontend.bind(portal, shape.name, values),
    result,
    scope,
    searched: shape.searched,
    isSmall: isSmall(shape.limit),
  }
}
