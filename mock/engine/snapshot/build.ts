import { MemoryFS, PGlite } from '@electric-sql/pglite'
import type { Dataset } from '../../../fixtures/dataset.ts'
import { ddl } from '../../../schemas/generated/ddl.ts'
import { type ViewDefinition, views } from '../../../schemas/views.ts'
import { type Artifacts, artifactOptions } from '../artifacts.ts'
import { copyLine } from '../../../fixtures/copy-text.ts'
import { lockdown } from './lockdown.ts'

/** Called with a sentence for users while a snapshot is built. */
export type ProgressListener = (message: string) => void

/** Number of progress reports while rows are stored. */
const reports = 9

/** Characters of COPY text per call. */
const copyLength = 8 << 20

/** The write-ahead log is part of the data directory: it is kept small. */
export const walParams = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'min_wal_size=2MB',
  'max_wal_size=8MB',
  'wal_recycle=off',
].flatMap((setting) => ['-c', setting])

/** Archives the data directory after the shutdown of the database, so that a start from it has nothing to recover. */
class ArchivingFs extends MemoryFS {
  archive: Blob | undefined

  override async closeFs(): Promise<void> {
    this.archive = await this.dumpTar('snapshot', 'none')
    await super.closeFs()
  }
}

const finish = [
  // reading then writes no hint bits and has statistics for good plans
  'VACUUM (FREEZE, ANALYZE)',
  // every database holds a copy of the catalogues, but only one is used
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
  'CHECKPOINT',
]

/**
 * Creates a database from a dataset and returns its data directory as a tar archive: tables, views, rows, the
 * reading role and its rights. Takes seconds, most of them for initdb.
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

/** Copies the rows part by part, because each part is simulated once for all views. */
export async function copyRows(
  database: PGlite,
  dataset: Dataset,
  onProgress: ProgressListener,
): Promise<void> {
  const tables = views.map((view) => new TableWriter(database, view))
  const news = Math.ceil(dataset.parts / reports)
  for (let index = 0; index < dataset.parts; index++) {
    const part = dataset.part(index)
    for (const table of tables) await table.add(part.rows(table.view.name))
    if (index % news === news - 1)
      onProgress(`Simulated ${index + 1} of ${dataset.parts} parts of the plant.`)
  }
  for (const table of tables) {
    await table.flush()
    onProgress(`Stored ${table.rows} rows of ${table.view.name}.`)
  }
}

/** Collects the rows of a table and copies them to the database in large pieces. */
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
