import type { Micros } from '../../../base/time/micros.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { acceptedSql } from '../../open-points/sql/accept.ts'
import { type EngineSettings, SqlError } from '../../statement.ts'
import { isParserBroken } from '../../syntax/parser.ts'
import { nothing, type Reading, readStatements } from '../../syntax/reading.ts'
import { usualBytes } from '../memory/database-memory.ts'
import { begin, cursorLength, parseQuery, rollback } from '../result/portal.ts'
import { maxRowBytes, type Page, Result } from '../result/result.ts'
import { oneAfterTheOther } from '../result/several.ts'
import { concat, frontend, type MessageHandler, MessageReader } from '../result/wire.ts'
import type { Artifacts } from '../snapshot/artifacts.ts'
import { hideNames } from '../snapshot/lockdown.ts'
import type { ChangeStep } from '../views/change.ts'
import { viewChanges } from '../views/views.ts'
import { Database } from './database.ts'
import { explainDenial, explainRefusal, NoQuery, refuseUnsafeText } from './refusals.ts'
import { pagesOf } from './run.ts'
import { plantScope } from './scope.ts'
import { Scopes } from './scopes.ts'
import { Tables } from './tables.ts'

/**
 * One database that runs one statement at a time: a query, with the rights of a role that may read the views alone, in a READ ONLY
 * transaction that is rolled back (docs/decisions/0006). Nothing else needs a reset: a query cannot prepare, listen, lock or
 * create, and the settings of a transaction end with it. `selfTest` proves that before the first statement.
 */
export class Session {
  /** Rows of its own that a statement may see. */
  readonly overlays: Scopes
  protected readonly database: Database
  protected readonly tables: Tables
  readonly #parser: Uint8Array | undefined

  protected constructor(database: Database, parser: Uint8Array | undefined) {
    this.database = database
    this.#parser = parser
    this.tables = new Tables(database)
    this.overlays = new Scopes(this.tables)
  }

  /**
   * Starts a database from the bytes of a snapshot; shared memory is read in place.
   *
   * @param steps change its tables, without parameters. Default: none
   */
  static async open(
    snapshot: Uint8Array,
    artifacts: Artifacts,
    steps: readonly ChangeStep[] = [],
  ): Promise<Session> {
    const session = new Session(await Database.start(snapshot, artifacts), artifacts.parser)
    await session.tables.asOwner(async () => {
      await session.database.exec(hideNames)
      for (const step of steps) await session.tables.change(step)
    })
    return session
  }

  /** Whether the session has to be replaced before it runs another statement. */
  get needsReplacement(): boolean {
    const { Module, sentLargeRow } = this.database
    return Module.HEAPU8.length > usualBytes || sentLargeRow || isParserBroken()
  }

  /**
   * Runs a statement and yields its result page by page; leaving early ends the statement.
   *
   * @param overlay the id of one of the {@link overlays}
   * @param now microseconds since 1970. Default: the real time
   * @throws SqlError (StatementRefused among them), also after the first page
   * @throws SessionPoisoned
   */
  async *run(
    statement: string,
    settings: EngineSettings = defaultSettings,
    overlay?: string,
    now?: Micros,
  ): AsyncGenerator<Page, void> {
    const readings = await this.read(statement, settings)
    const scope = this.overlays.find(overlay)
    await this.overlays.show(scope, viewChanges(settings))
    await this.database.enter(scope)
    const [only, ...others] = readings
    if (others.length === 0 && !only!.refusal) return yield* this.#pagesOf(only!, settings, now)
    // none of several statements runs if one is refused
    for (const reading of readings) await this.#check(reading, settings)
    yield* oneAfterTheOther(
      readings.map((reading) => this.#pagesOf(reading, settings, now)),
      readings,
    )
  }

  /** @throws StatementRefused */
  protected read(statement: string, settings: EngineSettings): Promise<readonly Reading[]> {
    refuseUnsafeText(statement)
    return readStatements(statement, settings, this.#parser)
  }

  async *#pagesOf(reading: Reading, settings: EngineSettings, now?: Micros): AsyncGenerator<Page, void> {
    try {
      yield* pagesOf(this.database, reading, settings, now)
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      await this.explain(reading, error, settings)
      yield* pagesOf(this.database, nothing, settings)
    }
  }

  /** @throws SqlError for a text that PostgreSQL does not take as a query, or that a setting refuses */
  async #check(reading: Reading, settings: EngineSettings): Promise<void> {
    const error = await this.ask(concat(parseQuery(reading.text), frontend.sync()))
    if (error) await this.explain(reading, error, settings)
    if (reading.refusal) throw reading.refusal
  }

  /** @throws SqlError unless the settings answer the text as if it had run and given no rows */
  protected async explain(reading: Reading, error: SqlError, settings: EngineSettings): Promise<void> {
    const parse = (own: string) => this.ask(concat(frontend.parse(own), frontend.sync()))
    const refusal = await explainRefusal(reading.text, error.moved(-cursorLength), parse)
    const explained = explainDenial(refusal, settings)
    if (!(explained instanceof NoQuery && acceptedSql(settings).answersWrites))
      throw explained.moved(reading.start)
  }

  /** Sends messages that give no rows. @returns the error, if there is one */
  protected async ask(messages: Uint8Array, onMessage?: MessageHandler): Promise<SqlError | undefined> {
    const result = new Result()
    const reader = new MessageReader((...message) => {
      result.handle(...message)
      onMessage?.(...message)
    }, maxRowBytes)
    await this.database.exchange(messages, reader)
    return result.error
  }

  /**
   * Changes the tables between two statements: all steps or none.
   *
   * @throws SessionPoisoned if a step fails or the rights could not be dropped
   */
  async apply(steps: readonly ChangeStep[]): Promise<void> {
    await this.tables.asOwner(async () => {
      await this.database.learnArrays()
      for (const step of steps) await this.tables.change(step)
    })
  }

  /**
   * Runs any statement in the scope of the plant, not as a query, and returns the SQLSTATE of its failure. The rights alone deny
   * what it may not do. For the self-test.
   */
  async attempt(statement: string): Promise<string | undefined> {
    await this.database.enter(plantScope)
    const run = concat(frontend.parse(statement), frontend.bind(''), frontend.execute('', 0), frontend.sync())
    const error = await this.ask(concat(begin, run))
    await this.ask(rollback)
    return error?.sqlState
  }
}
