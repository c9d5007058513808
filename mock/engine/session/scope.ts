import type { ViewName } from '../../../schemas/generated/types.ts'
import type { ViewChanges } from '../../open-points/view-change.ts'
import type { SqlError } from '../../statement.ts'
import { hiddenSchema, readerRole, unguessable } from '../views/roles.ts'
import { createOverlayTables, createViewIn, emptyOverlayTables } from '../views/overlay-sql.ts'
import { changedViews, noChanges } from '../views/views.ts'

/** A schema in which statements find their views, and the role that may read them. */
export interface Scope {
  readonly schema: string
  readonly role: string
  readonly searchPath: string
  /** The changes that its views have at the moment. */
  viewChanges: readonly ViewChanges[]
  /** The views for which it has rows of its own. */
  readonly own: Set<ViewName>
  /** Why its rows are not those of the overlay. */
  failure?: SqlError
}

/** That of statements without an overlay. */
export const plantScope = { schema: 'public', role: readerRole, searchPath: 'public' }

export const isPlant = ({ role }: Scope): boolean => role === readerRole

export const newPlantScope = (): Scope => ({ ...plantScope, viewChanges: noChanges, own: new Set() })

/** The scope of an overlay. Its role may not use the schemas of others, nor that of the plant. */
export const newScope = (): Scope => {
  const schema = unguessable('session')
  const searchPath = `${schema}, ${hiddenSchema}`
  return { schema, role: schema, searchPath, viewChanges: noChanges, own: new Set() }
}

/** The statements that empty the tables of an overlay. */
export const emptied = ({ schema, own }: Scope): string[] =>
  Array.from(own, (view) => emptyOverlayTables(schema, view))

/** Gives a scope rows of its own for further views. @returns the statements that create their tables and views */
export function extended(scope: Scope, added: ReadonlySet<ViewName>): string[] {
  const { schema, own, viewChanges } = scope
  const tables = [...added].flatMap((view) => {
    own.add(view)
    return createOverlayTables(schema, view)
  })
  // changed views may read the tables of others
  const shown = changedViews(viewChanges)
  const created = [...new Set([...added, ...shown])].flatMap((view) => [
    ...(shown.includes(view) ? dropView(scope, view) : []),
    ...createViewIn(scope, view, viewChanges),
  ])
  return [...tables, ...created]
}

/**
 * The statements that create the views of a scope that differ under other changes. A view of an overlay without rows or
 * changes is that of the plant.
 */
export function recreated(scope: Scope, changes: readonly ViewChanges[]): string[] {
  const [before, after] = [scope.viewChanges, changes].map((each) => new Set(changedViews(each)))
  return [...new Set([...before!, ...after!])].flatMap((name) => {
    const isAlways = isPlant(scope) || scope.own.has(name)
    return [
      ...(isAlways || before!.has(name) ? dropView(scope, name) : []),
      ...(isAlways || after!.has(name) ? createViewIn(scope, name, changes) : []),
    ]
  })
}

/** Without its own view, an overlay reads the one that all sessions share. */
const dropView = ({ schema, role }: Scope, name: ViewName): string[] => [
  `DROP VIEW ${schema}.${name}`,
  ...(role === readerRole ? [] : [`GRANT SELECT ON ${hiddenSchema}.${name} TO ${role}`]),
]
