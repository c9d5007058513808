import { type ChangeStep, rowsFile } from '../views/change.ts'
import type { Database } from './database.ts'
import { plantScope } from './scope.ts'

/** VACUUM after this many deleted rows, and CHECKPOINT after this many changed rows. */
const [vacuumAfterRows, checkpointAfterRows] = [5000, 20_000]

/** Most rows of the catalogues that a statement changes which creates, drops or empties a view or table. */
const rowsPerStatement = 20

/** The role that owns the tables. It finds no view. */
const owner = { role: 'postgres', searchPath: "''" }

/** Changes tables and views between two statements, and keeps the database small. */
export class Tables {
  readonly #database: Database
  #deletedRows = 0
  #changedRows = 0

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Runs some work in a transaction, with the rights of the tables' owner. A statement of a client enters a scope, which drops them.
   *
   * @throws SessionPoisoned if the work fails
   */
  async asOwner(work: () => Promise<void>): Promise<void> {
    const database = this.#database
    try {
      await database.enter(owner)
      await database.exec('BEGIN READ WRITE')
      await work()
      await database.exec('COMMIT')
      await this.#maintain()
    } catch (error) {
      database.checkForTraps(error)
    } finally {
      await database.enter(plantScope)
    }
  }

  /** Creates or drops views and tables. Each statement changes some rows of the catalogues. */
  async create(statements: readonly string[]): Promise<void> {
    if (statements.length === 0) return
    await this.#database.exec(statements.join(';'))
    await this.#database.findViews()
    this.#changedRows += statements.length * rowsPerStatement
    const replacing = statements.filter((statement) => /^(?:DROP|TRUNCATE)/.test(statement))
    this.#deletedRows += replacing.length * rowsPerStatement
  }

  async change({ sql, params, rows }: ChangeStep): Promise<void> {
    const { FS } = this.#database.Module
    if (rows) FS.writeFile(rowsFile, rows)
    const { affectedRows = 0 } = await this.#database.query(sql, params && [...params])
    if (rows) FS.unlink(rowsFile)
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
}
