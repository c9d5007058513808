import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hour } from '../../../base/time/micros.ts'
import { historyFrom, type KnownRuns } from '../../../fixtures/changes.ts'
import { followPlant } from '../../../fixtures/index.ts'
import { packagedRuns, packagedRunsFile } from '../../../mock/node/pglite/live/known-runs.ts'

test.each(packagedRuns)('the runs in the package change as those of the plant with scale $scale', (plant) => {
  const runs = deserialize(brotliDecompressSync(readFileSync(packagedRunsFile(plant)))) as KnownRuns
  const simulated = followPlant(plant)
  const span = [simulated.asOf, simulated.asOf + 36 * hour] as const
  expect(historyFrom(plant, runs).changes(...span)).toEqual(simulated.changes(...span))
  expect(runs.recent.size).toBeGreaterThan(5)
})
