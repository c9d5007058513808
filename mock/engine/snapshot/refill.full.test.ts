import { expect, test } from 'vitest'
import { datasetOf, type Tables } from '../../../fixtures/dataset.ts'
import { createDataset } from '../../../fixtures/index.ts'
import { views } from '../../../schemas/views.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { checksums, jsonOf, smallPlant } from '../../node/pglite/plant.test-helper.ts'
import { Session } from '../session/session.ts'
import { buildSnapshot } from './build.ts'
import { refillSnapshot } from './refill.ts'

test('a snapshot with replaced rows answers like one that was built for the same rows as text', async () => {
  const artifacts = await loadArtifacts()
  const plant = createDataset({ seed: 2, scale: 0.01 })
  const sums = async (snapshot: Uint8Array) => jsonOf(await Session.open(snapshot, artifacts), checksums)
  const refilled = await refillSnapshot(await buildSnapshot(smallPlant(100), artifacts), plant, artifacts)
  const rows = Object.fromEntries(views.map(({ name }) => [name, [...plant.rows(name)]])) as Partial<Tables>
  expect(await sums(refilled)).toBe(await sums(await buildSnapshot(datasetOf(rows), artifacts)))
})
