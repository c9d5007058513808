import { PGlite } from '@electric-sql/pglite'
import { views } from '../../../schemas/views.ts'
import { type Artifacts, snapshotOptions } from './artifacts.ts'
import { archiveOfDatabase, type BuildOptions, buildParams, emptyLog, type Rows, storeRows } from './build.ts'
import { SnapshotFs } from './snapshot-fs.ts'

/** Archives the data directory. */
class RefilledFs extends SnapshotFs {
  archive: Uint8Array | undefined
  allocate: BuildOptions['allocate']

  override async closeFs(): Promise<void> {
    this.archive = archiveOfDatabase(this.pg!, this.allocate)
    await super.closeFs()
  }
}

/**
 * Builds a snapshot with other rows from an existing one, whose tables, views and rights it keeps. Saves the seconds of
 * initdb.
 */
export async function refillSnapshot(
  snapshot: Uint8Array,
  rows: Rows,
  artifacts: Artifacts,
  options: BuildOptions = {},
): Promise<Uint8Array> {
  const fs = new RefilledFs(snapshot, artifacts)
  fs.allocate = options.allocate
  const database = await PGlite.create({ ...snapshotOptions(artifacts), fs, startParams: buildParams })
  try {
    await storeRows(database, rows, options)
    // the catalogues stay as they are
    await database.exec(`VACUUM (FREEZE, ANALYZE) ${views.map(({ table }) => `plant.${table}`).join(', ')}`)
    for (const statement of emptyLog) await database.exec(statement)
  } finally {
    await database.close()
  }
  return fs.archive!
}
