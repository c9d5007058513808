/** Packs the snapshot of the default plant, so that a first start builds no database. Part of `npm run build`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import { createSnapshot } from './pglite/index.ts'
import { packagedFiles, type SnapshotDescription } from './pglite/packaged-snapshot.ts'
import { snapshotKey, tablesKey } from './pglite/snapshot-key.ts'

const snapshot = await createSnapshot(defaultPlant)
const description: SnapshotDescription = {
  bytes: snapshot.length,
  key: snapshotKey(defaultPlant),
  tables: tablesKey(),
}
mkdirSync(packagedFiles, { recursive: true })
writeFileSync(new URL('default-snapshot.gz', packagedFiles), gzipSync(snapshot, { level: 9 }))
writeFileSync(new URL('default-snapshot.json', packagedFiles), JSON.stringify(description))
