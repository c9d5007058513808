import { MemoryFS, PGlite } from '@electric-sql/pglite'
import type { Dataset } from '../../../fixtures/dataset.ts'
import { ddl } from '../../../schemas/generated/ddl.ts'
import { type ViewDefinition, views } from '../../../schemas/generated/views.ts'
import { type Artifacts, artifactOptions } from '../artifacts.ts'
import { copyLine } from '../../../fixtures/copy-text.ts'
import { lockdown } from './lockdown.ts'

/** Called while a snapshot is built, with a sentence for people. */
export type ProgressListener = (message: string) => void

/** Characters of COPY text that go to the database at once. */
const copyLength = 8 << 20

/** The log of changes is part of the data directory: little is written and old segments are not kept. */
const walParams = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'min_wal_size=2MB',
  'max_wal_size=8MB',
  'wal_recycle=off',
].flatMap((setting) => ['-c', setting])

/** Archives the data directory once the database has shut down, so that a start from it has nothing to recover. */
class ArchivingFs extends MemoryFS {
  archive: Blob | undefined

  override async closeFs(): Promise<void> {
    this.archive = await this.dumpTar('snapshot', 'none')
    await super.closeFs()
  }
}

const finish = [
  // frozen and analysed: reading then writes no hint bits and plans well
  'VACUUM (FREEZE, ANALYZE)',
  // every database holds a copy of the catalogues, and only one is used
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
  'CHECKPOINT',
]

/**
 * Makes a database of a dataset and returns its data directory as a tar archive: tables, views, rows, the
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
    for (const view of views) {
      const rows = await copyRows(database, view, dataset.rows(view.name))
      onProgress(`Stored ${rows} rows of ${view.name}.`)
    }
    await database.exec(lockdown)
    for (const statement of finish) await database.exec(statement)
  } finally {
    await database.close()
  }
  return new Uint8Array(await fs.archive!.arrayBuffer())
}

async function copyRows(database: PGlite, view: ViewDefinition, rows: Iterable<object>): Promise<number> {
  let count = 0
  let lines: string[] = []
  let length = 0
  const send = async () => {
    const blob = new Blob(lines)
    await database.query(`COPY plant.${view.table} FROM '/dev/blob'`, [], { blob })
    lines = []
    length = 0
  }
  for (const row of rows) {
    const line = copyLine(row, view.columns)
    lines.push(line)
    length += line.length
    count++
    if (length > copyLength) await send()
  }
  if (lines.length > 0) await send()
  return count
}
