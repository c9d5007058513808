import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type Admission, admit, isParserBroken } from '../gate/gate.ts'
import { defaultSettings } from '../open-points/default-settings.ts'
import { deltaZone } from '../open-points/delta/zone.ts'
import type { ViewChanges } from '../open-points/view-change.ts'
import { type EngineSettings, SqlError } from '../statement.ts'
import { type Artifacts, LazyBlob, snapshotOptions } from './artifacts.ts'
import type { ChangeStep } from './change.ts'
import { withIdleWaits } from './idle-wait.ts'
import { type ColumnNamer, type Page, Result } from './result.ts'
import { defaultRowFormat, type RowFormat, rowFormat } from './row-format.ts'
import { readerRole } from './snapshot/lockdown.ts'
import { SnapshotFs } from './snapshot/snapshot-fs.ts'
import { oneAfterTheOther } from './several.ts'
import { nameSources } from './sources.ts'
import { changedViews, createView, noChanges, viewChanges } from './views.ts'
import { concat, frontend, MessageReader } from './wire.ts'

/** A statement damaged the database: its memory cannot be trusted, so it has to be replaced. */
export class SessionPoisoned extends Error {
  override readonly name = 'SessionPoisoned'
}

/** The session needs replacement above this size, because memory never shrinks. */
const maxMemoryBytes = 256 << 20

/** Rows of the first page, most rows of any other, and bytes that a page aims at. */
const [firstPageRows, maxPageRows, pageBytes] = [200, 5000, 1 << 20]

const portal = 'rows'
const begin = frontend.query('BEGIN READ ONLY')
const beginIn = (zone: string) => frontend.query(`BEGIN READ ONLY; SET LOCAL timezone = '${zone}'`)
const describePortal = concat(frontend.bind(portal), frontend.describe(portal))
const nextRows = (rows: number) => concat(frontend.execute(portal, rows), frontend.sync())
const firstRows = nextRows(firstPageRows)
const rollback = frontend.query('ROLLBACK')

/** VACUUM after this many changed rows. */
const vacuumAfterRows = 5000

/** Most rows of the catalogues that change when a view is created again. */
const rowsPerView = 60

/**
 * One database that runs one statement at a time, each as the reading role in a READ ONLY transaction that is
 * rolled back. Nothing else needs a reset: a single SELECT cannot prepare, listen, lock or create, and the settings
 * of a transaction end with it. `selfTest` proves that before the first statement.
 */
export class Session {
  readonly #database: Database
  #views: ReadonlyMap<number, string> = new Map()
  /** The changes that the views have at the moment. */
  #viewChanges = noChanges
  #trap: unknown
  #changedRows = 0

  private constructor(database: Database) {
    this.#database = database
    this.#watchForTraps()
  }

  /** Starts a database from the bytes of a snapshot; shared memory is read in place. */
  static async open(snapshot: Uint8Array, artifacts: Artifacts): Promise<Session> {
    const options: PGliteOptions = {
      ...snapshotOptions(artifacts),
      fs: new SnapshotFs(snapshot),
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
      `SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'`,
    )
    this.#views = new Map(rows.map(({ oid, relname }) => [oid, relname]))
  }

  /** Whether the session has to be replaced before it runs another statement. */
  get needsReplacement(): boolean {
    return this.#database.Module.HEAPU8.length > maxMemoryBytes || isParserBroken()
  }

  /**
   * Runs a statement and yields its result page by page; leaving early ends the statement.
   *
   * @throws SqlError (StatementRefused among them), also after the first page
   * @throws SessionPoisoned
   */
  run(statement: string, settings: EngineSettings = defaultSettings): AsyncGenerator<Page, void> {
    const admissions = admit(statement, settings)
    const pages = admissions.map((admission) => this.#admitted(admission, settings))
    return pages.length === 1 ? pages[0]! : oneAfterTheOther(pages, admissions)
  }

  #admitted(
    { text, ordered, sources, spelled }: Admission,
    settings: EngineSettings,
  ): AsyncGenerator<Page, void> {
    const format = rowFormat(settings)
    const rename = format.keyCase?.(spelled)
    const toColumns: ColumnNamer = (fields) => {
      const columns = nameSources(fields, sources, this.#views)
      return rename ? columns.map((column) => ({ ...column, name: rename(column.name) })) : columns
    }
    const { sessionZone } = deltaZone(settings)
    const opening = sessionZone === undefined ? begin : beginIn(sessionZone)
    return this.#pages(text, toColumns, format, !ordered, opening, viewChanges(settings))
  }

  /**
   * Changes the tables between two statements: all steps or none.
   *
   * @throws SessionPoisoned if a step fails or the rights could not be dropped
   */
  apply(steps: readonly ChangeStep[]): Promise<void> {
    return this.#asOwner(async () => {
      await this.#database.learnArrays()
      for (const step of steps) await this.#change(step)
    })
  }

  /**
   * Creates the views that differ again, so that SQL sees the variants and not only the printed rows. They stay until a
   * statement asks for other changes: settings for all statements cost this once.
   *
   * @throws SessionPoisoned
   */
  async #show(changes: readonly ViewChanges[]): Promise<void> {
    if (!isSame(changes, this.#viewChanges)) {
      const names = [...new Set([...changedViews(this.#viewChanges), ...changedViews(changes)])]
      const statements = names.flatMap((name) => [
        `DROP VIEW public.${name}`,
        createView(name, changes),
        `GRANT SELECT ON public.${name} TO ${readerRole}`,
      ])
      await this.#asOwner(async () => {
        await this.#database.exec(statements.join(';'))
        await this.#findViews()
        this.#changedRows += names.length * rowsPerView
      })
    }
    this.#viewChanges = changes
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
      if (this.#changedRows > vacuumAfterRows) await this.#vacuum()
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
  }

  /** There is no autovacuum, and no checkpointer that would drop old parts of the log. */
  async #vacuum(): Promise<void> {
    this.#changedRows = 0
    await this.#database.exec('VACUUM')
    await this.#database.exec('CHECKPOINT')
  }

  /** Runs a statement past the gate and returns the SQLSTATE of its failure. For the self-test. */
  async attempt(statement: string): Promise<string | undefined> {
    try {
      for await (const _ of this.#pages(statement, (fields) => fields, defaultRowFormat, false));
      return undefined
    } catch (error) {
      if (error instanceof SqlError) return error.sqlState
      throw error
    }
  }

  async *#pages(
    statement: string,
    toColumns: ColumnNamer,
    format: RowFormat,
    mayReorder: boolean,
    opening = begin,
    changes = noChanges,
  ): AsyncGenerator<Page, void> {
    if (changes !== this.#viewChanges) await this.#show(changes)
    const result = new Result(toColumns, format, mayReorder)
    try {
      let request = concat(opening, frontend.parse(statement), describePortal, firstRows)
      for (;;) {
        await this.#exchange(request, result.reader)
        const page = result.takePage()
        yield page
        if (page.last) return
        request = nextRows(Math.min(Math.ceil(pageBytes / result.averageRowBytes), maxPageRows))
      }
    } finally {
      await this.#exchange(rollback, new MessageReader(() => {}))
    }
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

/** The role that owns the tables. */
const ownerRole = 'postgres'
const onlyReader = JSON.stringify([{ session_user: readerRole, current_user: readerRole }])

/** PGlite calls this function to let PostgreSQL handle one message. */
const mainLoop = '_PostgresMainLoopOnce'

/** The exit status of the WebAssembly code after an error that PostgreSQL handled. */
const handledError = 100

const settings = {
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  // small: the pages of a snapshot are in memory already
  shared_buffers: '16MB',
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
