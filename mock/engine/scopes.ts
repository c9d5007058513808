import type { ViewName } from '../../schemas/generated/types.ts'
import type { ViewChanges } from '../open-points/view-change.ts'
import type { RowChange, SqlError } from '../statement.ts'
import { createOverlay, createOverlayTables, createViewIn, emptyOverlayTables } from './overlay-sql.ts'
import { changedViews, noChanges } from './views.ts'

/** A schema in which statements find their views. */
export interface Scope {
  readonly schema: string
  /** The changes that its views have at the moment. */
  viewChanges: readonly ViewChanges[]
  /** The views for which it has rows of its own. */
  readonly own: Set<ViewName>
  /** Why its rows are not those of the overlay. */
  failure?: SqlError
}

/** A scope for the changes of an overlay. */
export interface PreparedScope {
  readonly scope: Scope
  /** Give the scope its tables and views. */
  readonly statements: readonly string[]
  /** The views whose tables are empty then. */
  readonly empty: Set<ViewName>
  /** Whether statements that were prepared in the scope would find other views. */
  readonly isReplaced: boolean
}

/** The scope of statements without an overlay, and one for each overlay. */
export class Scopes {
  readonly plant: Scope = { schema: 'public', viewChanges: noChanges, own: new Set() }
  readonly #overlays = new Map<string, Scope>()
  /** Those of overlays that were dropped. */
  readonly #unused: Scope[] = []

  /**
   * The scope of a statement.
   *
   * @throws SqlError if the database refused the rows of its overlay
   */
  find(overlay: string | undefined): Scope {
    if (overlay === undefined) return this.plant
    const scope = this.#overlays.get(overlay)
    if (!scope) throw new Error(`The engine does not know the overlay ${overlay}.`)
    if (scope.failure) throw scope.failure
    return scope
  }

  /**
   * Gives an overlay a scope with tables and views for these changes. A dropped scope is used again: creating views takes
   * longer than emptying tables.
   */
  prepare(overlay: string, changes: readonly RowChange[]): PreparedScope {
    const known = this.#overlays.get(overlay)
    const reused = known ? undefined : this.#unused.pop()
    const scope = known ?? reused ?? newScope()
    this.#overlays.set(overlay, scope)
    const { schema, own, viewChanges } = scope
    const statements = known ? [] : reused ? emptied(reused) : createOverlay(schema)
    const added = new Set(changes.map(({ view }) => view).filter((view) => !own.has(view)))
    const empty = reused ? new Set([...own, ...added]) : added
    if (added.size === 0) return { scope, statements, empty, isReplaced: false }
    for (const view of added) {
      own.add(view)
      statements.push(...createOverlayTables(schema, view))
    }
    // changed views may read the tables of others
    const shown = changedViews(viewChanges)
    for (const view of new Set([...added, ...shown])) {
      if (shown.includes(view)) statements.push(dropView(scope, view))
      statements.push(...createViewIn(scope, view, viewChanges))
    }
    return { scope, statements, empty, isReplaced: (known ?? reused) !== undefined }
  }

  /** Forgets an overlay that no statement will use again. */
  drop(overlay: string): void {
    const scope = this.#overlays.get(overlay)
    this.#overlays.delete(overlay)
    if (scope && !scope.failure) this.#unused.push(scope)
  }

  /**
   * The statements that create the views of a scope that differ again. A view of an overlay without rows or changes is that
   * of the plant.
   */
  show(scope: Scope, changes: readonly ViewChanges[]): string[] {
    const [before, after] = [scope.viewChanges, changes].map((each) => new Set(changedViews(each)))
    return [...new Set([...before!, ...after!])].flatMap((name) => {
      const isAlways = scope === this.plant || scope.own.has(name)
      return [
        ...(isAlways || before!.has(name) ? [dropView(scope, name)] : []),
        ...(isAlways || after!.has(name) ? createViewIn(scope, name, changes) : []),
      ]
    })
  }
}

const dropView = ({ schema }: Scope, name: ViewName): string => `DROP VIEW ${schema}.${name}`

const emptied = ({ schema, own }: Scope): string[] =>
  Array.from(own, (view) => emptyOverlayTables(schema, view))

/** The scope of a new overlay. Nobody can guess its name: the reading role may use the schemas of all overlays. */
const newScope = (): Scope => ({
  schema: `overlay_${globalThis.crypto.randomUUID().replaceAll('-', '')}`,
  viewChanges: noChanges,
  own: new Set(),
})
