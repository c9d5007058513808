import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { admit, isParserBroken } from '../gate/gate.ts'
import { type Artifacts, LazyBlob, snapshotOptions } from './artifacts.ts'
import type { ChangeStep } from './change.ts'
import { defaultRowFormat, type RowFormat, SqlError, type StatementKinds } from './engine.ts'
import { withNaps } from './nap.ts'
import { type ColumnNamer, type Page, Result } from './result.ts'
import { readerRole } from './snapshot/lockdown.ts'
import { SnapshotFs } from './snapshot/snapshot-fs.ts'
import { nameSources } from './sources.ts'
import { concat, frontend, MessageReader } from './wire.ts'

export interface RunOptions {
  /** Default: {@link defaultRowFormat}. */
  readonly format?: RowFormat
  /** Default: any read-only SELECT. */
  readonly kinds?: StatementKinds
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
const describePortal = concat(frontend.bind(portal), frontend.describe(portal))
const nextRows = (rows: number) => concat(frontend.execute(portal, rows), frontend.sync())
const firstRows = nextRows(firstPageRows)
const rollback = frontend.query('ROLLBACK')

/** So many rows are changed before the space of the former ones is taken back. */
const untidyRows = 5000

/**
 * One database that runs one statement at a time, each as the reading role in a READ ONLY transaction that is
 * rolled back. Nothing else needs resetting: a single SELECT can't prepare, listen, lock or create, and
 * settings changed in a transaction go with it. `selfTest` proves that before the first statement.
 */
export class Session {
  readonly #database: PGlite
  readonly #views: ReadonlyMap<number, string>
  #trap: unknown
  #changedRows = 0

  private constructor(database: PGlite, views: ReadonlyMap<number, string>) {
    this.#database = database
    this.#views = views
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
    const database = await withNaps(() => PGlite.create(options))
    const { rows } = await database.query<{ oid: number; relname: string }>(
      `SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'`,
    )
    await database.exec(`SET SESSION AUTHORIZATION ${readerRole}`)
    return new Session(database, new Map(rows.map(({ oid, relname }) => [oid, relname])))
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
  run(statement: string, { format = defaultRowFormat, kinds }: RunOptions = {}): AsyncGenerator<Page, void> {
    const { ordered, sources } = admit(statement, kinds)
    return this.#pages(statement, (fields) => nameSources(fields, sources, this.#views), format, !ordered)
  }

  /**
   * Changes the tables between two statements: all steps or none. Only here does the session work with the rights of their
   * owner, on statements of our own, and it gives them back before it returns.
   *
   * @throws SessionPoisoned when a step fails or the rights could not be given back
   */
  async apply(steps: readonly ChangeStep[]): Promise<void> {
    try {
      await this.#database.exec(`SET SESSION AUTHORIZATION ${ownerRole}`)
      await this.#database.exec('BEGIN READ WRITE')
      for (const step of steps) await this.#change(step)
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
  ): AsyncGenerator<Page, void> {
    const result = new Result(toColumns, format, mayShuffle)
    try {
      let request = concat(begin, frontend.parse(statement), describePortal, firstRows)
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
