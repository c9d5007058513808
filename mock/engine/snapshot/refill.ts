import { PGlite } from '@electric-sql/pglite'
import type { Dataset } from '../../../fixtures/dataset.ts'
import { views } from '../../../schemas/views.ts'
import { type Artifacts, snapshotOptions } from './artifacts.ts'
import { copyRows, emptyLog, walParams } from './build.ts'
import type { ProgressListener } from './progress.ts'
import { SnapshotFs } from './snapshot-fs.ts'

/** Archives the data directory after the shutdown of the database. */
class RefilledFs extends SnapshotFs {
  archive: Blob | undefined

  override async closeFs(): Promise<void> {
    this.archive = await this.dumpTar('snapshot', 'none')
    await super.closeFs()
  }
}

/**
 * Builds a snapshot with other rows from an existing one, whose tables, views and rights it keeps. Saves the seconds of
 * initdb.
 */
export async function refillSnapshot(
  snapshot: Uint8Array,
  dataset: Dataset,
  artifacts: Artifacts,
  onProgress: ProgressListener = () => {},
): Promise<Uint8Array> {
  const fs = new RefilledFs(snapshot, artifacts)
  const database = await PGlite.create({
    ...snapshotOptions(artifacts),
    fs,
    startParams: [...PGlite.defaultStartParams, ...walParams],
  })
  try {
    await database.exec(`TRUNCATE ${views.map(({ table }) => `plant.${table}`).join(', ')}`)
    await copyRows(database, dataset, onProgress)
    await database.exec('VACUUM (FREEZE, ANALYZE)')
    for (const statement of emptyLog) await database.exec(statement)
  } finally {
    await database.close()
  }
  return new Uint8Array(await fs.archive!.arrayBuffer())
}
