import { type Admission, admit, isParserBroken } from '../../gate/gate.ts'
import { type Template, templateOf } from '../../gate/literals.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { type EngineSettings, SqlError, StatementRefused } from '../../statement.ts'
import { type Fields, walk } from '../../syntax-tree.ts'
import type { Artifacts } from '../snapshot/artifacts.ts'
import type { ChangeStep } from '../views/change.ts'
import { usualBytes } from '../memory/database-memory.ts'
import { openPortal } from '../result/portal.ts'
import { type Page, Result } from '../result/result.ts'
import { Scopes } from './scopes.ts'
import { Database } from './database.ts'
import { admittedRun, pagesOf, shapedRun } from './run.ts'
import { isPlant, type Scope } from './scope.ts'
import { Tables } from './tables.ts'
import { oneAfterTheOther } from '../result/several.ts'
import { type PreparedShape, Shapes } from './shapes.ts'
import { noChanges } from '../views/views.ts'

/** SQLSTATE of a prepared statement that does not exist. */
const unknownPrepared = '26000'

/**
 * One database that runs one statement at a time, each as the reading role in a READ ONLY transaction that is
 * rolled back. Nothing else needs a reset: a single SELECT cannot prepare, listen, lock or create, and the settings
 * of a transaction end with it. `selfTest` proves that before the first statement.
 */
export class Session {
  /** Rows of its own that a statement may see. */
  readonly overlays: Scopes
  readonly #database: Database
  readonly #tables: Tables
  readonly #shapes: Shapes

  private constructor(database: Database) {
    this.#database = database
    this.#tables = new Tables(database)
    this.#shapes = new Shapes(database)
    this.overlays = new Scopes(this.#tables, this.#shapes)
  }

  /** Starts a database from the bytes of a snapshot; shared memory is read in place. */
  static async open(snapshot: Uint8Array, artifacts: Artifacts): Promise<Session> {
    return new Session(await Database.start(snapshot, artifacts))
  }

  /** Whether the session has to be replaced before it runs another statement. */
  get needsReplacement(): boolean {
    const { Module, sentLargeRow } = this.#database
    return Module.HEAPU8.length > usualBytes || sentLargeRow || isParserBroken()
  }

  /**
   * Runs a statement and yields its result page by page; leaving early ends the statement.
   *
   * @param overlay the id of one of the {@link overlays}
   * @throws SqlError (StatementRefused among them), also after the first page
   * @throws SessionPoisoned
   */
  run(
    statement: string,
    settings: EngineSettings = defaultSettings,
    overlay?: string,
  ): AsyncGenerator<Page, void> {
    const scope = this.overlays.find(overlay)
    const hasShape = settings === defaultSettings && scope.viewChanges === noChanges
    const template = hasShape ? templateIn(scope, statement) : undefined
    const shape = template && this.#shapes.find(template)
    if (shape) return this.#runShape(shape, statement, template, scope)
    const admissions = admit(statement, settings)
    if (!isPlant(scope)) for (const { select } of admissions) refuseSchema(select)
    if (template && !this.#shapes.knows(template)) return this.#runFirst(template, admissions[0]!, scope)
    const pages = admissions.map((admission) => this.#runAdmitted(admission, settings, scope))
    return pages.length === 1 ? pages[0]! : oneAfterTheOther(pages, admissions)
  }

  #runAdmitted(admission: Admission, settings: EngineSettings, scope: Scope): AsyncGenerator<Page, void> {
    const run = admittedRun(admission, settings, scope, this.#database)
    return pagesOf(this.#database, this.overlays, run)
  }

  /** Runs the first statement of a shape, which is prepared for those that follow. */
  async *#runFirst(template: Template, admission: Admission, scope: Scope): AsyncGenerator<Page, void> {
    const shape = await this.#shapes.prepare(template, admission, scope)
    yield* shape
      ? this.#runShape(shape, admission.text, template, scope)
      : this.#runAdmitted(admission, defaultSettings, scope)
  }

  /** Runs a statement as one of a shape, or on its own if the database cannot plan it so. */
  async *#runShape(
    shape: PreparedShape,
    statement: string,
    template: Template,
    scope: Scope,
  ): AsyncGenerator<Page, void> {
    const run = shapedRun(shape, template, scope)
    try {
      return yield* pagesOf(this.#database, this.overlays, run)
    } catch (error) {
      if (!(error instanceof SqlError) || run.result.isPlanned) throw error
      // past the gate, a statement can drop prepared ones
      if (error.sqlState === unknownPrepared) await this.#shapes.forget()
    }
    yield* this.#runAdmitted(admit(statement)[0]!, defaultSettings, scope)
  }

  /**
   * Changes the tables between two statements: all steps or none.
   *
   * @throws SessionPoisoned if a step fails or the rights could not be dropped
   */
  async apply(steps: readonly ChangeStep[]): Promise<void> {
    await this.#shapes.forget()
    await this.#tables.asOwner(async () => {
      await this.#database.learnArrays()
      for (const step of steps) await this.#tables.change(step)
    })
  }

  /**
   * Runs a statement past the gate and returns the SQLSTATE of its failure. For the self-test.
   *
   * @param isSmall whether it runs in one exchange
   */
  async attempt(statement: string, isSmall = false): Promise<string | undefined> {
    const run = {
      start: openPortal(statement),
      result: new Result(),
      scope: this.overlays.find(undefined),
      isSmall,
    }
    try {
      for await (const _ of pagesOf(this.#database, this.overlays, run));
      return undefined
    } catch (error) {
      if (error instanceof SqlError) return error.sqlState
      throw error
    }
  }
}

/** Statements of one shape read the same views. */
function templateIn({ schema }: Scope, statement: string): Template | undefined {
  const template = templateOf(statement)
  return template && { ...template, key: schema + template.key }
}

/** An overlay replaces the views under their own names alone. @throws StatementRefused */
function refuseSchema(select: Fields): void {
  walk(select, (fields) => {
    if ('relname' in fields && fields['schemaname'] !== undefined)
      throw new StatementRefused(
        'other',
        'This session has rows of its own. Write the names of views without a schema.',
        '0A000',
      )
  })
}
