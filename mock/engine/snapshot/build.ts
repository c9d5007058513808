import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { binaryHeader, copyRows, isBinary } from '../../../fixtures/export/copy-rows.ts'
import type { Chunk, Slice } from '../../../fixtures/export/format.ts'
import type { Dataset } from '../../../fixtures/dataset.ts'
import { ddl } from '../../../schemas/generated/ddl.ts'
import { type ViewDefinition, views } from '../../../schemas/views.ts'
import { archiveOf } from './archive.ts'
import { type Artifacts, artifactOptions, LazyBlob } from './artifacts.ts'
import { lockdown } from './lockdown.ts'
import { type ProgressListener, reportParts } from './progress.ts'
import type { EmscriptenFs } from './shared-files.ts'

export interface BuildOptions {
  readonly onProgress?: ProgressListener
  /** Returns memory of a number of bytes for the snapshot. Default: memory of this thread. */
  readonly allocate?: (bytes: number) => Uint8Array
}

/** A dataset, whose rows this thread encodes, or its rows for COPY; a slice is valid until the next one is taken. */
export type Rows = Dataset | AsyncIterable<Slice>

/** Bytes of the rows of one COPY. */
const copyBytes = 2 << 20

/** Parameters of a database that is built. */
export const buildParams = [
  ...PGlite.defaultStartParams,
  ...[
    // the write-ahead log stays small: it is part of the data directory
    'wal_level=minimal',
    'max_wal_senders=0',
    'min_wal_size=2MB',
    'max_wal_size=8MB',
    'wal_recycle=off',
    // emscripten's posix_fallocate copies the whole file
    'file_extend_method=write_zeros',
    // the files are in memory already
    'shared_buffers=16MB',
  ].flatMap((setting) => ['-c', setting]),
]

/** The data directory of a database as a tar archive, after a clean shutdown, so that a start from it needs no recovery. */
export const archiveOfDatabase = (
  { Module: { FS } }: PGlite,
  allocate: BuildOptions['allocate'] = (bytes) => new Uint8Array(bytes),
): Uint8Array => archiveOf((FS as unknown as EmscriptenFs).lookupPath(PGlite.paths.PGDATA).node, allocate)

/** Archives the data directory. */
class ArchivingFs extends MemoryFS {
  archive: Uint8Array | undefined
  readonly #allocate: BuildOptions['allocate']

  constructor(allocate: BuildOptions['allocate']) {
    super()
    this.#allocate = allocate
  }

  override async closeFs(): Promise<void> {
    this.archive = archiveOfDatabase(this.pg!, this.#allocate)
    await super.closeFs()
  }
}

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
 * Creates a database from rows and returns its data directory as a tar archive: tables, views, rows, the role of the
 * reader and its rights. Takes seconds, most of them for initdb.
 */
export async function buildSnapshot(
  rows: Rows,
  artifacts: Artifacts,
  options: BuildOptions = {},
): Promise<Uint8Array> {
  options.onProgress?.('Creating an empty database.')
  const fs = new ArchivingFs(options.allocate)
  const database = await PGlite.create({
    ...artifactOptions(artifacts),
    fs,
    initDbStartParams: ['--wal-segsize=1'],
    startParams: buildParams,
  })
  try {
    await database.exec(ddl)
    await storeRows(database, rows, options)
    await database.exec(lockdown)
    for (const statement of finish) await database.exec(statement)
  } finally {
    await database.close()
  }
  return fs.archive!
}

/** Replaces all rows of a database. Indexes are built afterwards: one that grows with its rows takes longer and is half empty. */
export async function storeRows(
  database: PGlite,
  rows: Rows,
  { onProgress = () => {} }: BuildOptions,
): Promise<void> {
  await database.exec(
    'DROP INDEX IF EXISTS plant.timeseries_data_id_timestamp_idx, plant.timeseries_data_id_idx',
  )
  // rows of tables that the transaction emptied need no write-ahead log, and are stored in their order
  await database.exec('BEGIN')
  await database.exec(`TRUNCATE ${views.map(({ table }) => `plant.${table}`).join(', ')}`)
  const tables = new Map(views.map((view) => [view.name, new TableWriter(database, view)]))
  const countPart = reportParts(onProgress)
  for await (const { chunks, ended, parts } of 'part' in rows ? slicesOf(rows) : rows) {
    for (const chunk of chunks) await tables.get(chunk.view)!.add(chunk)
    if (ended) countPart(parts)
  }
  let count = 0
  for (const table of tables.values()) {
    await table.flush()
    count += table.rows
  }
  await database.exec('COMMIT')
  onProgress(`Stored ${count} rows. Building indexes.`)
  // Series have some hundred points, so reading one and ordering it takes as long as reading it in the order of the index of the DDL, which
  // takes half of the memory of a large plant (docs/decisions/0033).
  await database.exec('REINDEX SCHEMA plant')
  await database.exec('CREATE INDEX timeseries_data_id_idx ON plant.timeseries_data (id)')
}

/** The rows part by part, because a part is simulated once for all views. */
function* slicesOf(dataset: Dataset): Generator<Slice> {
  const format = copyRows()
  const { parts } = dataset
  for (let index = 0; index < parts; index++) {
    const part = dataset.part(index)
    for (const view of views)
      for (const chunk of format.encode(part, view)) yield { chunks: [chunk], ended: false, parts }
    yield { chunks: [], ended: true, parts }
  }
}

/** Collects the rows of a table and copies them to the database in large statements. */
class TableWriter {
  rows = 0
  readonly #database: PGlite
  readonly #table: string
  #pieces: Uint8Array[] = []
  #bytes = 0

  constructor(database: PGlite, { table }: ViewDefinition) {
    this.#database = database
    this.#table = table
  }

  async add({ rows, content }: Chunk): Promise<void> {
    // a chunk without rows continues a row
    if (rows > 0 && this.#bytes > copyBytes) await this.flush()
    const piece = (content as Uint8Array).slice()
    this.#pieces.push(piece)
    this.#bytes += piece.length
    this.rows += rows
  }

  async flush(): Promise<void> {
    if (this.#bytes === 0) return
    const [options, head] = isBinary(this.#pieces[0]!)
      ? [' (FREEZE, FORMAT binary)', [binaryHeader]]
      : [' (FREEZE)', []]
    const blob = new LazyBlob(...head, ...this.#pieces)
    await this.#database.query(`COPY plant.${this.#table} FROM '/dev/blob'${options}`, [], { blob })
    this.#pieces = []
    this.#bytes = 0
  }
}
