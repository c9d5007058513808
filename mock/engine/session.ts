import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type Admission, admit, isParserBroken } from '../gate/gate.ts'
import { type Template, templateOf } from '../gate/literals.ts'
import { limitOf } from '../gate/parameters.ts'
import { isRepeatable, mayBeClock } from '../gate/repeatable.ts'
import { defaultSettings } from '../open-points/default-settings.ts'
import { deltaZone } from '../open-points/delta/zone.ts'
import type { ViewChanges } from '../open-points/view-change.ts'
import { type EngineSettings, type Overlay, SqlError, StatementRefused } from '../statement.ts'
import { type Fields, walk } from '../syntax-tree.ts'
import { type Artifacts, LazyBlob, snapshotOptions } from './artifacts.ts'
import type { ChangeStep } from './change.ts'
import { withIdleWaits } from './idle-wait.ts'
import { type ColumnNamer, type Page, Result } from './result.ts'
import { rowFormat } from './row-format.ts'
import { readerRole } from './snapshot/lockdown.ts'
import { databaseMemory, usualBytes } from './database-memory.ts'
import type { MemoryTurn } from './memory-turn.ts'
import { SnapshotFs } from './snapshot/snapshot-fs.ts'
import { SpareMemory } from './spare-memory.ts'
import { oneAfterTheOther } from './several.ts'
import { overlaySteps } from './overlay-sql.ts'
import { type Scope, Scopes } from './scopes.ts'
import { nameSources } from './sources.ts'
import { noChanges, viewChanges } from './views.ts'
import { type PreparedShape, type Shape, Shapes, valuesOf } from './shapes.ts'
import { backend, concat, type Field, frontend, MessageReader, readFields } from './wire.ts'

/** A statement damaged the database: its memory cannot be trusted, so it has to be replaced. */
export class SessionPoisoned extends Error {
  override readonly name = 'SessionPoisoned'
}

/** A chunk of this size is one large row. It filled the memory of the database, which never shrinks. In bytes. */
const largeRowBytes = 8 << 20

/** Rows of the first page, most rows of any other, and bytes that a page aims at. */
const [firstPageRows, maxPageRows, pageBytes] = [200, 5000, 1 << 20]

const portal = 'rows'
const begin = frontend.query('BEGIN READ ONLY')
const beginIn = (zone: string) => frontend.query(`BEGIN READ ONLY; SET LOCAL timezone = '${zone}'`)
const bindAndDescribe = concat(frontend.bind(portal), frontend.describePortal(portal))
const nextRows = (rows: number) => concat(frontend.execute(portal, rows), frontend.sync())
const firstRows = nextRows(firstPageRows)
const rollback = frontend.query('ROLLBACK')

/** All rows, and the end of the transaction that the statement has begun by itself. */
const allRows = concat(
  frontend.execute(portal, 0),
  frontend.parse('ROLLBACK'),
  frontend.bind(''),
  frontend.execute('', 0),
  frontend.sync(),
)

/** VACUUM after this many deleted rows, and CHECKPOINT after this many changed rows. */
const [vacuumAfterRows, checkpointAfterRows] = [5000, 20_000]

/** Most rows of the catalogues that a statement changes which creates, drops or empties a view or table. */
const rowsPerStatement = 20

/**
 * One database that runs one statement at a time, each as the reading role in a READ ONLY transaction that is
 * rolled back. Nothing else needs a reset: a single SELECT cannot prepare, listen, lock or create, and the settings
 * of a transaction end with it. `selfTest` proves that before the first statement.
 */
export class Session {
  /** Gets the memory of chunks back from those who read them. */
  readonly memory = new SpareMemory()
  readonly #database: Database
  readonly #shapes = new Shapes()
  #views: ReadonlyMap<number, string> = new Map()
  readonly #scopes = new Scopes()
  /** Where the database looks for views. */
  #searched = this.#scopes.plant
  #trap: unknown
  #sentLargeRow = false
  #deletedRows = 0
  #changedRows = 0

  private constructor(database: Database) {
    this.#database = database
    this.#watchForTraps()
  }

  /** Starts a database from the bytes of a snapshot; shared memory is read in place. */
  static async open(snapshot: Uint8Array, artifacts: Artifacts, turn?: MemoryTurn): Promise<Session> {
    const options: PGliteOptions = {
      ...snapshotOptions(artifacts),
      fs: new SnapshotFs(snapshot, artifacts, databaseMemory(turn), turn),
      startParams,
      onStderr: () => false,
    }
    const database = await withIdleWaits(async () => {
      const starting = new Database(options)
      await starting.waitReady
      return starting
    })
    const session = new Session(database)
    await session.#findViews()
    await database.exec(`SET SESSION AUTHORIZATION ${readerRole}`)
    return session
  }

  async #findViews(): Promise<void> {
    const { rows } = await this.#database.query<{ oid: number; relname: string }>(
      `SELECT oid, relname FROM pg_class WHERE relkind = 'v' AND relname LIKE 'v\\_%'`,
    )
    this.#views = new Map(rows.map(({ oid, relname }) => [oid, relname]))
  }

  /** Whether the session has to be replaced before it runs another statement. */
  get needsReplacement(): boolean {
    return this.#database.Module.HEAPU8.length > usualBytes || this.#sentLargeRow || isParserBroken()
  }

  /**
   * Runs a statement and yields its result page by page; leaving early ends the statement.
   *
   * @param overlay the id of an overlay that {@link addToOverlay} was called for
   * @throws SqlError (StatementRefused among them), also after the first page
   * @throws SessionPoisoned
   */
  run(
    statement: string,
    settings: EngineSettings = defaultSettings,
    overlay?: string,
  ): AsyncGenerator<Page, void> {
    const scope = this.#scopes.find(overlay)
    const hasShape = settings === defaultSettings && scope.viewChanges === noChanges
    const template = hasShape ? this.#templateOf(statement, scope) : undefined
    const shape = template && this.#shapes.find(template)
    if (shape) return this.#prepared(shape, statement, template, scope)
    const admissions = admit(statement, settings)
    if (scope !== this.#scopes.plant) for (const { select } of admissions) refuseSchema(select)
    if (template && !this.#shapes.knows(template)) return this.#prepare(template, admissions[0]!, scope)
    const pages = admissions.map((admission) => this.#admitted(admission, settings, scope))
    return pages.length === 1 ? pages[0]! : oneAfterTheOther(pages, admissions)
  }

  /** Statements of one shape read the same views. */
  #templateOf(statement: string, scope: Scope): Template | undefined {
    const template = templateOf(statement)
    return template && { ...template, key: scope.schema + template.key }
  }

  #admitted(admission: Admission, settings: EngineSettings, scope: Scope): AsyncGenerator<Page, void> {
    const { text, ordered, select, sources, spelled } = admission
    const format = rowFormat(settings)
    const rename = format.keyCase?.(spelled)
    const toColumns: ColumnNamer = (fields) => {
      const columns = nameSources(fields, sources, this.#views)
      return rename ? columns.map((column) => ({ ...column, name: rename(column.name) })) : columns
    }
    const { sessionZone } = deltaZone(settings)
    return this.#pages(
      concat(frontend.parse(text), bindAndDescribe),
      new Result({
        isRepeatable: isRepeatable(select),
        format,
        toColumns,
        mayReorder: !ordered,
        memory: this.memory,
      }),
      {
        opening: sessionZone === undefined ? begin : beginIn(sessionZone),
        changes: viewChanges(settings),
        scope,
        isSmall: sessionZone === undefined && isSmall(limitOf(select)),
      },
    )
  }

  /** Runs a statement as one of a shape, or on its own if the database cannot plan it so. */
  async *#prepared(
    shape: PreparedShape,
    statement: string,
    template: Template,
    scope: Scope,
  ): AsyncGenerator<Page, void> {
    const values = valuesOf(shape, template)
    const result = new Result({
      isRepeatable: shape.isRepeatable && !values.some(mayBeClock),
      memory: this.memory,
    })
    result.describe(shape.fields)
    try {
      const run = { scope, searched: this.#searchedBy(shape, scope), isSmall: isSmall(shape.limit) }
      return yield* this.#pages(frontend.bind(portal, shape.name, values), result, run)
    } catch (error) {
      if (!(error instanceof SqlError) || result.isPlanned) throw error
      // past the gate, a statement can drop prepared ones
      if (error.sqlState === unknownPrepared) await this.#forgetShapes()
    }
    yield* this.#admitted(admit(statement)[0]!, defaultSettings, scope)
  }

  /** Prepares the shape of a statement for those that follow, and runs the statement. */
  async *#prepare(template: Template, admission: Admission, scope: Scope): AsyncGenerator<Page, void> {
    if (this.#shapes.isFull) await this.#forgetShapes()
    const overlay = scope === this.#scopes.plant ? undefined : scope
    const shape = this.#shapes.shapeOf(admission.text, template, admission.select, overlay)
    const fields = shape && (await this.#fieldsOf(shape, scope))
    const prepared = shape && fields && { ...shape, fields }
    this.#shapes.add(template, prepared)
    yield* prepared
      ? this.#prepared(prepared, admission.text, template, scope)
      : this.#admitted(admission, defaultSettings, scope)
  }

  /** Prepares a shape. @returns its fields; undefined if it cannot be prepared */
  async #fieldsOf(shape: Shape, scope: Scope): Promise<readonly Field[] | undefined> {
    const { name, text, types } = shape
    let fields: readonly Field[] | undefined
    const reader = new MessageReader((type, bytes, start, end) => {
      if (type === backend.rowDescription) fields = readFields(bytes, start, end)
    })
    const prepare = concat(
      ...this.#searchIn(this.#searchedBy(shape, scope)),
      frontend.parse(text, name, types),
      frontend.describeStatement(name),
      frontend.sync(),
    )
    await this.#exchange(prepare, reader)
    return fields
  }

  /** Prepared statements know their tables and views, so they must not outlive a change of either. */
  async #forgetShapes(): Promise<void> {
    this.#shapes.forget()
    await this.#database.exec('DEALLOCATE ALL')
  }

  /**
   * Changes the tables between two statements: all steps or none.
   *
   * @throws SessionPoisoned if a step fails or the rights could not be dropped
   */
  async apply(steps: readonly ChangeStep[]): Promise<void> {
    await this.#forgetShapes()
    await this.#asOwner(async () => {
      await this.#database.learnArrays()
      for (const step of steps) await this.#change(step)
    })
  }

  /**
   * Adds changes to an overlay, which is created with its first change. An overlay with a change that the database refuses
   * fails all its statements.
   *
   * @throws SessionPoisoned
   */
  async addToOverlay({ id, changes }: Overlay): Promise<void> {
    const { scope, statements, empty, isReplaced } = this.#scopes.prepare(id, changes)
    if (isReplaced) await this.#forgetShapes()
    await this.#asOwner(async () => {
      try {
        await this.#create(statements)
        const steps = changes.flatMap((change) =>
          overlaySteps(scope.schema, change, empty.delete(change.view)),
        )
        for (const step of steps) await this.#change(step)
      } catch (error) {
        const { code, message } = error as { code?: unknown; message: string }
        if (typeof code !== 'string') throw error
        // COMMIT ends a transaction with an error as ROLLBACK does
        scope.failure = new SqlError('other', message, code)
      }
    })
  }

  /** Forgets an overlay that no statement will use again. */
  dropOverlay(id: string): void {
    this.#scopes.drop(id)
  }

  /**
   * Creates the views that differ again, so that SQL sees the variants and not only the printed rows. They stay until a
   * statement asks for other changes: settings for all statements cost this once.
   *
   * @throws SessionPoisoned
   */
  async #show(scope: Scope, changes: readonly ViewChanges[]): Promise<void> {
    if (!isSame(changes, scope.viewChanges)) {
      const statements = this.#scopes.show(scope, changes)
      await this.#forgetShapes()
      await this.#asOwner(() => this.#create(statements))
    }
    scope.viewChanges = changes.length === 0 ? noChanges : changes
  }

  /** Creates or drops views and tables. Each statement changes some rows of the catalogues. */
  async #create(statements: readonly string[]): Promise<void> {
    if (statements.length === 0) return
    await this.#database.exec(statements.join(';'))
    await this.#findViews()
    this.#changedRows += statements.length * rowsPerStatement
    const replacing = statements.filter((statement) => /^(?:DROP|TRUNCATE)/.test(statement))
    this.#deletedRows += replacing.length * rowsPerStatement
  }

  /** Where a prepared statement finds its views: a change of the search path takes a fifth of the time of a small one. */
  #searchedBy({ isQualified }: Shape, scope: Scope): Scope {
    return isQualified ? this.#scopes.plant : scope
  }

  /** The messages that let the database find views in a schema by their names; none if it does. */
  #searchIn(scope: Scope): Uint8Array[] {
    if (scope === this.#searched) return []
    this.#searched = scope
    return [frontend.query(`SET search_path = ${scope.schema}, public`)]
  }

  /**
   * Runs some work in a transaction, with the rights of the tables' owner. The session has these rights only here, for
   * its own statements, and drops them before it returns.
   */
  async #asOwner(work: () => Promise<void>): Promise<void> {
    try {
      await this.#database.exec(`SET SESSION AUTHORIZATION ${ownerRole}`)
      await this.#database.exec('BEGIN READ WRITE')
      await work()
      await this.#database.exec('COMMIT')
      await this.#maintain()
      await this.#database.exec(`SET SESSION AUTHORIZATION ${readerRole}`)
      const { rows } = await this.#database.query('SELECT session_user, current_user')
      if (JSON.stringify(rows) !== onlyReader)
        throw new Error(`The session kept the rights of ${JSON.stringify(rows)}.`)
    } catch (error) {
      this.#trap ??= error
    }
    this.#checkForTraps()
  }

  async #change({ sql, params, rows }: ChangeStep): Promise<void> {
    const options = rows && { blob: new LazyBlob(rows) }
    const { affectedRows = 0 } = await this.#database.query(sql, params && [...params], options)
    this.#changedRows += affectedRows
    if (sql.startsWith('DELETE')) this.#deletedRows += affectedRows
  }

  /** There is no autovacuum, and no checkpointer that would drop old parts of the log. */
  async #maintain(): Promise<void> {
    const needsVacuum = this.#deletedRows > vacuumAfterRows
    if (!needsVacuum && this.#changedRows <= checkpointAfterRows) return
    if (needsVacuum) {
      this.#deletedRows = 0
      await this.#database.exec('VACUUM')
    }
    this.#changedRows = 0
    await this.#database.exec('CHECKPOINT')
  }

  /**
   * Runs a statement past the gate and returns the SQLSTATE of its failure. For the self-test.
   *
   * @param isSmall whether it runs in one exchange
   */
  async attempt(statement: string, isSmall = false): Promise<string | undefined> {
    const result = new Result()
    const start = concat(frontend.parse(statement), bindAndDescribe)
    try {
      for await (const _ of this.#pages(start, result, { isSmall }));
      return undefined
    } catch (error) {
      if (error instanceof SqlError) return error.sqlState
      throw error
    }
  }

  /**
   * A small result takes one exchange: the statement begins a transaction, which is READ ONLY by default, and it is rolled
   * back at once. Others keep theirs until their last page is read.
   *
   * @param start the messages that open the portal
   */
  async *#pages(start: Uint8Array, result: Result, run: Partial<Run>): AsyncGenerator<Page, void> {
    const { opening = begin, changes = noChanges, isSmall = false } = run
    const { scope = this.#scopes.plant, searched = scope } = run
    // an overlay shows views of the plant too
    if (scope !== this.#scopes.plant && this.#scopes.plant.viewChanges !== noChanges)
      await this.#show(this.#scopes.plant, noChanges)
    if (changes !== scope.viewChanges) await this.#show(scope, changes)
    const search = this.#searchIn(searched)
    if (isSmall) {
      await this.#exchange(concat(...search, start, allRows), result.reader)
      return yield this.#takePage(result)
    }
    try {
      let request = concat(...search, opening, start, firstRows)
      for (;;) {
        await this.#exchange(request, result.reader)
        const page = this.#takePage(result)
        yield page
        if (page.last) return
        request = nextRows(Math.min(Math.ceil(pageBytes / result.averageRowBytes), maxPageRows))
      }
    } finally {
      await this.#exchange(rollback, new MessageReader(() => {}))
    }
  }

  #takePage(result: Result): Page {
    const page = result.takePage()
    if (page.chunks.some(({ length }) => length >= largeRowBytes)) this.#sentLargeRow = true
    return page
  }

  /** Sends messages and gives the answer to the reader. */
  async #exchange(messages: Uint8Array, reader: MessageReader): Promise<void> {
    this.#checkForTraps()
    await this.#database.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: (bytes) => reader.push(bytes),
    })
    this.#checkForTraps()
  }

  #checkForTraps(): void {
    if (this.#trap !== undefined) throw new SessionPoisoned(String(this.#trap))
  }

  /** PGlite swallows traps of the WebAssembly machine, which then look like an empty success. */
  #watchForTraps(): void {
    const mod = this.#database.Module
    const step = mod[mainLoop]
    mod[mainLoop] = () => {
      try {
        step()
      } catch (error) {
        if ((error as { status?: number }).status !== handledError) this.#trap ??= error
        throw error
      }
    }
  }
}

/**
 * PGlite reads all array types at its start, which takes a tenth of the time and serves results and parameters that
 * statements of clients do not have. This class reads them on demand.
 */
class Database extends PGlite {
  #knowsArrays = false

  override async _initArrayTypes(): Promise<void> {}

  /** Makes arrays usable as parameters. */
  async learnArrays(): Promise<void> {
    // oxlint-disable-next-line no-underscore-dangle -- the name is PGlite's
    if (!this.#knowsArrays) await super._initArrayTypes()
    this.#knowsArrays = true
  }
}

const isSame = (changes: readonly ViewChanges[], others: readonly ViewChanges[]): boolean =>
  changes.length === others.length && changes.every((change, index) => change === others[index])

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

/** SQLSTATE of a prepared statement that does not exist. */
const unknownPrepared = '26000'

/** How a statement runs. */
interface Run {
  /** Begins the transaction of a result with several pages. */
  readonly opening: Uint8Array
  readonly changes: readonly ViewChanges[]
  readonly scope: Scope
  /** Where the database looks for views. Default: in the scope. */
  readonly searched: Scope
  readonly isSmall: boolean
}

/** Whether the rows of a statement with this LIMIT fit the first page. */
const isSmall = (limit: number | undefined): boolean => limit !== undefined && limit <= firstPageRows

/** The role that owns the tables. */
const ownerRole = 'postgres'
const onlyReader = JSON.stringify([{ session_user: readerRole, current_user: readerRole }])

/** PGlite calls this function to let PostgreSQL handle one message. */
const mainLoop = '_PostgresMainLoopOnce'

/** The exit status of the WebAssembly code after an error that PostgreSQL handled. */
const handledError = 100

const settings = {
  default_transaction_read_only: 'on',
  // a prepared statement is planned with the constants that it stands for: what `1 = 0 AND ...` guards is never computed
  plan_cache_mode: 'force_custom_plan',
  // PostgreSQL warns of the ROLLBACK after each small result
  client_min_messages: 'error',
  log_min_messages: 'fatal',
  timezone: 'UTC',
  // small: the pages of a snapshot are in memory already
  shared_buffers: '4MB',
  work_mem: '16MB',
  temp_file_limit: '256MB',
  // without ORDER BY a large table is read from its beginning, not from where another statement left off
  synchronize_seqscans: 'off',
  // far below the stack of a worker thread, so that deep nesting is an error and not a trap
  max_stack_depth: '200kB',
  autovacuum: 'off',
  // the log of changes is in memory too: little of it is kept once it was written down
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '2MB',
  wal_recycle: 'off',
}

/** PGlite's own parameters without `-O`, which lets superusers change system tables. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-O'),
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
