import { MemoryFS, PGlite } from '@electric-sql/pglite'
import type { Dataset } from '../../../fixtures/dataset.ts'
import { ddl } from '../../../schemas/generated/ddl.ts'
import { type ViewDefinition, views } from '../../../schemas/views.ts'
import { type Artifacts, artifactOptions } from './artifacts.ts'
import { copyLine } from '../../../base/text/copy-text.ts'
import { lockdown } from './lockdown.ts'
import type { ProgressListener } from './progress.ts'

/** Highest number of progress messages while rows are simulated. */
const maxReports = 9

/** Length of the COPY text of one statement, in characters. */
const copyLength = 8 << 20

/** Settings that keep the write-ahead log small: it is part of the data directory. */
export const walParams = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'min_wal_size=2MB',
  'max_wal_size=8MB',
  'wal_recycle=off',
].flatMap((setting) => ['-c', setting])

/** Archives the data directory after the shutdown of the database, so that a start from it needs no recovery. */
class ArchivingFs extends MemoryFS {
  archive: Blob | undefined

  override async closeFs(): Promise<void> {
    this.archive = await this.dumpTar('snapshot', 'none')
    await super.closeFs()
  }
}

/**
 * A smaller index of the points. Series have some hundred points, so reading one and ordering it takes as long as reading it
 * in the order of an index, which takes half of the memory of a large plant (decisions/0033).
 */
const indexPoints = `DROP INDEX IF EXISTS plant.timeseries_data_id_timestamp_idx;
  CREATE INDEX IF NOT EXISTS timeseries_data_id_idx ON plant.timeseries_data (id)`

/** The write-ahead log then has no rows, only zeros, which compress to nothing. */
export const emptyLog = ['SELECT pg_switch_wal()', 'CHECKPOINT']

const finish = [
  // the revoked rights left a second version of most rows of the catalogues
  'VACUUM FULL',
  // reads then write no hint bits, and the planner has statistics
  'VACUUM (FREEZE, ANALYZE)',
  // every database has a copy of the catalogues, but only one is used
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
  ...emptyLog,
]

/**
 * Creates a database from a dataset and returns its data directory as a tar archive: tables, views, rows, the role of the
 * reader and its rights. Takes seconds, most of them for initdb.
 */
export async function buildSnapshot(
  dataset: Dataset,
  artifacts: Artifacts,
  onProgress: ProgressListener = () => {},
): Promise<Uint8Array> {
  onProgress('Creating an empty database.')
  const fs = new ArchivingFs()
  const database = await PGlite.create({
    ...artifactOptions(artifacts),
    fs,
    initDbStartParams: ['--wal-segsize=1'],
    startParams: [...PGlite.defaultStartParams, ...walParams],
  })
  try {
    await database.exec(ddl)
    await copyRows(database, dataset, onProgress)
    await database.exec(lockdown)
    for (const statement of finish) await database.exec(statement)
  } finally {
    await database.close()
  }
  return new Uint8Array(await fs.archive!.arrayBuffer())
}

/** Copies the rows part by part, because a part is simulated once for all views. */
export async function copyRows(
  database: PGlite,
  dataset: Dataset,
  onProgress: ProgressListener,
): Promise<void> {
  await database.exec(indexPoints)
  const tables = views.map((view) => new TableWriter(database, view))
  const reportEvery = Math.ceil(dataset.parts / maxReports)
  for (let index = 0; index < dataset.parts; index++) {
    const part = dataset.part(index)
    for (const table of tables) await table.add(part.rows(table.view.name))
    if (index % reportEvery === reportEvery - 1)
      onProgress(`Simulated ${index + 1} of ${dataset.parts} parts of the plant.`)
  }
  for (const table of tables) {
    await table.flush()
    onProgress(`Stored ${table.rows} rows of ${table.view.name}.`)
  }
  // an index that grew with its rows is half empty
  await database.exec('REINDEX SCHEMA plant')
}

/** Collects the rows of a table and copies them to the database in large statements. */
class TableWriter {
  readonly view: ViewDefinition
  rows = 0
  readonly #database: PGlite
  #lines: string[] = []
  #length = 0

  constructor(database: PGlite, view: ViewDefinition) {
    this.#database = database
    this.view = view
  }

  async add(rows: Iterable<object>): Promise<void> {
    for (const row of rows) {
      const line = copyLine(row, this.view.columns)
      this.#lines.push(line)
      this.rows++
      this.#length += line.length
      if (this.#length > copyLength) await this.flush()
    }
  }

  async flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const blob = new Blob(this.#lines)
    await this.#database.query(`COPY plant.${this.view.table} FROM '/dev/blob'`, [], { blob })
    this.#lines = []
    this.#length = 0
  }
}
