import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type Admission, admit, isParserBroken } from '../gate/gate.ts'
import { type Artifacts, LazyBlob, snapshotOptions } from './artifacts.ts'
import type { ChangeStep } from './change.ts'
import { changedViews, createView } from './data-variants/view-statements.ts'
import {
  type DataVariants,
  defaultRowFormat,
  type RowFormat,
  SqlError,
  type SqlRules,
  type StatementKinds,
} from './engine.ts'
import { inCase } from './letter-case.ts'
import { withNaps } from './nap.ts'
import { type ColumnNamer, type Page, Result } from './result.ts'
import { readerRole } from './snapshot/lockdown.ts'
import { SnapshotFs } from './snapshot/snapshot-fs.ts'
import { oneAfterTheOther } from './several.ts'
import { nameSources } from './sources.ts'
import { concat, frontend, MessageReader } from './wire.ts'

export interface RunOptions {
  /** Default: {@link defaultRowFormat}. */
  readonly format?: RowFormat
  /** Default: any read-only SELECT. */
  readonly kinds?: StatementKinds
  /** Default: one SELECT that reads. */
  readonly rules?: SqlRules
  /** Default: the data as they are. */
  readonly data?: DataVariants
}

/** The database was damaged by what it ran: its memory can't be trusted, it has to be replaced. */
export class SessionPoisoned extends Error {
  override readonly name = 'SessionPoisoned'
}

/** Memory never shrinks: past this the session asks to be replaced. */
const maxMemoryBytes = 256 << 20

/** Rows of the first page, of any other, and the bytes a page should have. */
const [firstPageRows, maxPageRows, pageBytes] = [200, 5000, 1 << 20]

const portal = 'rows'
const begin = frontend.query('BEGIN READ ONLY')
const beginElsewhere = frontend.query(`BEGIN READ ONLY; SET LOCAL timezone = 'America/New_York'`)
const describePortal = concat(frontend.bind(portal), frontend.describe(portal))
const nextRows = (rows: number) => concat(frontend.execute(portal, rows), frontend.sync())
const firstRows = nextRows(firstPageRows)
const rollback = frontend.query('ROLLBACK')

/** So many rows are changed before the space of the former ones is taken back. */
const untidyRows = 5000

/** Rows of the catalogues that making one view anew leaves behind, at most. */
const rowsPerView = 60

const noVariants: DataVariants = {}

/**
 * One database that runs one statement at a time, each as the reading role in a READ ONLY transaction that is
 * rolled back. Nothing else needs resetting: a single SELECT can't prepare, listen, lock or create, and
 * settings changed in a transaction go with it. `selfTest` proves that before the first statement.
 */
export class Session {
  readonly #database: Database
  #views: ReadonlyMap<number, string> = new Map()
  /** The variants that the views have at the moment. */
  #data = noVariants
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
    const database = await withNaps(async () => {
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

  /** Whether the session should be replaced before it runs another statement. */
  get worn(): boolean {
    return this.#database.Module.HEAPU8.length > maxMemoryBytes || isParserBroken()
  }

  /**
   * Runs a statement and yields its result page by page; leaving early ends the statement.
   *
   * @throws SqlError (StatementRefused among them), also after the first page
   * @throws SessionPoisoned
   */
  run(
    statement: string,
    { format = defaultRowFormat, kinds, rules, data }: RunOptions = {},
  ): AsyncGenerator<Page, void> {
    const admissions = admit(statement, kinds, rules)
    const zone = rules?.zone === 'session-zone' ? beginElsewhere : begin
    const pages = admissions.map((admission) => this.#admitted(admission, format, zone, data))
    return pages.length === 1 ? pages[0]! : oneAfterTheOther(pages, admissions)
  }

  #admitted(
    { text, ordered, sources, spelled }: Admission,
    format: RowFormat,
    opening: Uint8Array,
    data: DataVariants | undefined,
  ): AsyncGenerator<Page, void> {
    const toColumns: ColumnNamer = (fields) =>
      inCase(nameSources(fields, sources, this.#views), format.case, spelled)
    return this.#pages(text, toColumns, format, !ordered, opening, data)
  }

  /**
   * Changes the tables between two statements: all steps or none.
   *
   * @throws SessionPoisoned when a step fails or the rights could not be given back
   */
  apply(steps: readonly ChangeStep[]): Promise<void> {
    return this.#asOwner(async () => {
      await this.#database.learnArrays()
      for (const step of steps) await this.#change(step)
    })
  }

  /**
   * Makes the views that differ anew, so that SQL sees the variants and not only the printed rows. They stay until a
   * statement asks for others: who sets variants for all statements pays once.
   *
   * @throws SessionPoisoned
   */
  async #show(data: DataVariants): Promise<void> {
    if (JSON.stringify(data) !== JSON.stringify(this.#data)) {
      const names = [...new Set([...changedViews(this.#data), ...changedViews(data)])]
      const statements = names.flatMap((name) => [
        `DROP VIEW public.${name}`,
        createView(name, data),
        `GRANT SELECT ON public.${name} TO ${readerRole}`,
      ])
      await this.#asOwner(async () => {
        await this.#database.exec(statements.join(';'))
        await this.#findViews()
        this.#changedRows += names.length * rowsPerView
      })
    }
    this.#data = data
  }

  /**
   * Does all of some work or nothing of it. Only here does the session have the rights of the tables' owner, for
   * statements of our own, and it gives them back before it returns.
   */
  async #asOwner(work: () => Promise<void>): Promise<void> {
    try {
      await this.#database.exec(`SET SESSION AUTHORIZATION ${ownerRole}`)
      await this.#database.exec('BEGIN READ WRITE')
      await work()
      await this.#database.exec('COMMIT')
      if (this.#changedRows > untidyRows) await this.#tidy()
      await this.#database.exec(`SET SESSION AUTHORIZATION ${readerRole}`)
      const { rows } = await this.#database.query('SELECT session_user, current_user')
      if (JSON.stringify(rows) !== readerAlone) throw new Error(`${JSON.stringify(rows)} is left.`)
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

  /** Nothing does this by itself: there is no autovacuum, and no checkpointer that would drop old parts of the log. */
  async #tidy(): Promise<void> {
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
    mayShuffle: boolean,
    opening = begin,
    data = noVariants,
  ): AsyncGenerator<Page, void> {
    if (data !== this.#data) await this.#show(data)
    const result = new Result(toColumns, format, mayShuffle)
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

  /** PGlite swallows traps of the WebAssembly machine; what is left looks like an empty success. */
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
 * PGlite asks at its start for all array types, which takes a tenth of it and serves results and parameters that
 * statements of clients do not have. Here it asks when it is told to.
 */
class Database extends PGlite {
  #knowsArrays = false

  override async _initArrayTypes(): Promise<void> {}

  /** Makes arrays known as parameters. */
  async learnArrays(): Promise<void> {
    // oxlint-disable-next-line no-underscore-dangle -- the name is PGlite's
    if (!this.#knowsArrays) await super._initArrayTypes()
    this.#knowsArrays = true
  }
}

/** Whoever made the tables. */
const ownerRole = 'postgres'
const readerAlone = JSON.stringify([{ session_user: readerRole, current_user: readerRole }])

/** The call by which PGlite lets PostgreSQL handle one message. */
const mainLoop = '_PostgresMainLoopOnce'

/** Exit status by which PostgreSQL's own errors leave the WebAssembly code. */
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

/** PGlite's own, but without `-O`: it lets superusers change system tables. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-O'),
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
