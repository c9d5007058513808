import { expect, test } from 'vitest'
import { createDataset } from '../../../fixtures/index.ts'
import { loadParser } from '../../gate/gate.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { checksums, jsonOf, smallPlant } from '../../node/pglite/plant.test-helper.ts'
import { Session } from '../session/session.ts'
import { buildSnapshot } from './build.ts'
import { refillSnapshot } from './refill.ts'

test('a snapshot with replaced rows answers like one that was built for them', async () => {
  await loadParser()
  const artifacts = await loadArtifacts()
  const plant = createDataset({ seed: 2, scale: 0.01 })
  const sums = async (snapshot: Uint8Array) => jsonOf(await Session.open(snapshot, artifacts), checksums)
  const refilled = await refillSnapshot(await buildSnapshot(smallPlant(100), artifacts), plant, artifacts)
  expect(await sums(refilled)).toBe(await sums(await buildSnapshot(plant, artifacts)))
})
