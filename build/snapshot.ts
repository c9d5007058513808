/**
 * Packs the snapshot of the default plant, so that a first start builds no database, and the runs of the packaged plants, so that a first move of
 * their time simulates none. Part of browser.ts.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { day } from '../base/time/micros.ts'
import { historyFrom, type KnownRuns } from '../fixtures/changes.ts'
import { defaultPlant } from '../fixtures/default-plant.ts'
import { compress } from './compress.ts'
import { createSnapshot } from '../mock/node/pglite/index.ts'
import { packagedRuns, packagedRunsFile, packRuns } from '../mock/node/pglite/live/known-runs.ts'
import {
  packagedFiles,
  sha256,
  type SnapshotDescription,
} from '../mock/node/pglite/snapshot/packaged-snapshot.ts'
import { snapshotKey, tablesKey } from '../mock/node/pglite/snapshot/snapshot-key.ts'

const snapshot = await createSnapshot(defaultPlant)
const packed = await compress(snapshot)
const description: SnapshotDescription = {
  bytes: snapshot.length,
  sha256: sha256(packed),
  key: snapshotKey(defaultPlant),
  tables: tablesKey(),
}
mkdirSync(packagedFiles, { recursive: true })
writeFileSync(new URL('default-snapshot.br', packagedFiles), packed)
writeFileSync(new URL('default-snapshot.json', packagedFiles), JSON.stringify(description))

for (const plant of packagedRuns) {
  const known: KnownRuns = { last: new Map(), recent: new Map() }
  const history = historyFrom(plant, known)
  history.changes(history.asOf, history.asOf + 2 * day)
  writeFileSync(packagedRunsFile(plant), await compress(packRuns(known, plant)))
}
