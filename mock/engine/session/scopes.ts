import type { ViewChanges } from '../../open-points/view-change.ts'
import { type Overlay, SqlError } from '../../statement.ts'
import { createOverlay, overlaySteps } from '../views/overlay-sql.ts'
import { emptied, extended, newPlantScope, newScope, recreated, type Scope } from './scope.ts'
import type { Tables } from './tables.ts'
import { noChanges } from '../views/views.ts'

/** The scope of statements without an overlay, and one for each overlay. */
export class Scopes {
  readonly #tables: Tables
  readonly #plant = newPlantScope()
  readonly #overlays = new Map<string, Scope>()
  /** Those of overlays that were dropped. */
  readonly #unused: Scope[] = []

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /**
   * The scope of a statement.
   *
   * @throws SqlError if the database refused the rows of its overlay
   */
  find(overlay: string | undefined): Scope {
    if (overlay === undefined) return this.#plant
    const scope = this.#overlays.get(overlay)
    if (!scope) throw new Error(`The engine does not know the overlay ${overlay}.`)
    if (scope.failure) throw scope.failure
    return scope
  }

  /**
   * Adds changes to an overlay, which is created with its first change. A dropped scope is used again: creating views takes
   * longer than emptying tables. An overlay with a change that the database refuses fails all its statements.
   *
   * @throws SessionPoisoned
   */
  async add({ id, changes }: Overlay): Promise<void> {
    const known = this.#overlays.get(id)
    const reused = known ? undefined : this.#unused.pop()
    const scope = known ?? reused ?? newScope()
    this.#overlays.set(id, scope)
    const statements = known ? [] : reused ? emptied(reused) : createOverlay(scope)
    const added = new Set(changes.map(({ view }) => view).filter((view) => !scope.own.has(view)))
    const empty = reused ? new Set([...reused.own, ...added]) : added
    if (added.size > 0) statements.push(...extended(scope, added))
    await this.#tables.asOwner(async () => {
      try {
        await this.#tables.create(statements)
        for (const change of changes)
          for (const step of overlaySteps(scope.schema, change, empty.delete(change.view)))
            await this.#tables.change(step)
      } catch (error) {
        const { code, message } = error as { code?: unknown; message: string }
        if (typeof code !== 'string') throw error
        // COMMIT ends a transaction with an error as ROLLBACK does
        scope.failure = new SqlError('other', message, code)
      }
    })
  }

  /** Forgets an overlay that no statement will use again. */
  drop(overlay: string): void {
    const scope = this.#overlays.get(overlay)
    this.#overlays.delete(overlay)
    if (scope && !scope.failure) this.#unused.push(scope)
  }

  /**
   * Creates the views that differ again, so that SQL sees the variants and not only the printed rows. They stay until a
   * statement asks for other changes: settings for all statements cost this once.
   *
   * @throws SessionPoisoned
   */
  async show(scope: Scope, changes: readonly ViewChanges[]): Promise<void> {
    if (changes === scope.viewChanges) return
    if (!isSame(changes, scope.viewChanges)) {
      const statements = recreated(scope, changes)
      await this.#tables.asOwner(() => this.#tables.create(statements))
    }
    scope.viewChanges = changes.length === 0 ? noChanges : changes
  }
}

const isSame = (changes: readonly ViewChanges[], others: readonly ViewChanges[]): boolean =>
  changes.length === others.length && changes.every((change, index) => change === others[index])
