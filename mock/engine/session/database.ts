import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type Artifacts, snapshotOptions } from '../snapshot/artifacts.ts'
import { databaseMemory } from '../memory/database-memory.ts'
import { clocksOf, DatabaseClock } from './database-clock.ts'
import { SnapshotFs } from '../snapshot/snapshot-fs.ts'
import type { MessageReader } from '../result/wire.ts'
import { plantScope, type Scope } from './scope.ts'

/** A statement damaged the database: its memory cannot be trusted, so it has to be replaced. */
export class SessionPoisoned extends Error {
  override readonly name = 'SessionPoisoned'
}

/** PGlite calls this function to let PostgreSQL handle one message. */
const mainLoop = '_PostgresMainLoopOnce'

/** The exit status of the WebAssembly code after an error that PostgreSQL handled. */
const handledError = 100

/** PGlite, which speaks the protocol of PostgreSQL with the rights of the reading role, and whose traps are seen. */
export class Database extends PGlite {
  /** The name of each view by its OID. */
  viewNames: ReadonlyMap<number, string> = new Map()
  /** What PostgreSQL reads as the time. */
  readonly clock: DatabaseClock
  /** Whether a large row has filled its memory. */
  sentLargeRow = false
  #entered: Scope['role'] | undefined
  #knowsArrays = false
  #trap: unknown

  private constructor(options: PGliteOptions) {
    const clock = new DatabaseClock()
    super({ ...options, extensions: { clocks: clocksOf(clock) } })
    this.clock = clock
  }

  /** Starts a database from the bytes of a snapshot; shared memory is read in place. */
  static async start(snapshot: Uint8Array, artifacts: Artifacts): Promise<Database> {
    const database = new Database({
      ...snapshotOptions(artifacts),
      fs: new SnapshotFs(snapshot, artifacts, databaseMemory()),
      startParams,
      onStderr: () => false,
    })
    await database.waitReady
    database.#watchForTraps()
    await database.findViews()
    await database.enter(plantScope)
    return database
  }

  async findViews(): Promise<void> {
    const { rows } = await this.query<{ oid: number; relname: string }>(
      `SELECT oid, relname FROM pg_class WHERE relkind = 'v' AND relname LIKE 'v\\_%'`,
    )
    this.viewNames = new Map(rows.map(({ oid, relname }) => [oid, relname]))
  }

  /** Sends messages and gives the answer to the reader. @throws SessionPoisoned */
  async exchange(messages: Uint8Array, reader: MessageReader): Promise<void> {
    this.checkForTraps()
    await this.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: (bytes) => reader.push(bytes),
    })
    this.checkForTraps()
  }

  /** Gives the session the rights of a scope, and lets it find the views there. @throws SessionPoisoned */
  async enter({ role, searchPath }: Pick<Scope, 'role' | 'searchPath'>): Promise<void> {
    if (role === this.#entered) return
    this.#entered = undefined
    try {
      await this.exec(`SET SESSION AUTHORIZATION ${role}; SET search_path = ${searchPath}`)
      const { rows } = await this.query('SELECT session_user, current_user')
      if (JSON.stringify(rows) !== JSON.stringify([{ session_user: role, current_user: role }]))
        throw new Error(`The session has the rights of ${JSON.stringify(rows)}, not those of ${role}.`)
    } catch (error) {
      this.checkForTraps(error)
    }
    this.#entered = role
  }

  /** PGlite reads all array types at its start, which takes a tenth of the time. Only changes of tables need them. */
  override async _initArrayTypes(): Promise<void> {}

  /** Makes arrays usable as parameters. */
  async learnArrays(): Promise<void> {
    // oxlint-disable-next-line no-underscore-dangle -- the name is PGlite's
    if (!this.#knowsArrays) await super._initArrayTypes()
    this.#knowsArrays = true
  }

  /** @param failure counts as a trap. @throws SessionPoisoned after the first trap */
  checkForTraps(failure?: unknown): void {
    this.#trap ??= failure
    if (this.#trap !== undefined) throw new SessionPoisoned(String(this.#trap))
  }

  /** PGlite swallows traps of the WebAssembly machine, which then look like an empty success. */
  #watchForTraps(): void {
    const mod = this.Module
    const step = mod[mainLoop]
    mod[mainLoop] = () => {
      try {
        this.clock.during(step)
      } catch (error) {
        if ((error as { status?: number }).status !== handledError) this.#trap ??= error
        throw error
      }
    }
  }
}

const settings = {
  default_transaction_read_only: 'on',
  // a cursor is planned for all of its rows
  cursor_tuple_fraction: '1',
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
export const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-O'),
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
