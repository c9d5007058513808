import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { ScenarioName } from '../../../../fixtures/scenarios/index.ts'
import { datasetSteps, packedSteps } from '../../../engine/snapshot/scenarios.ts'
import type { ChangeStep } from '../../../engine/views/change.ts'
import { share } from './share.ts'

/** The steps that put the rows of a scenario in place of those of a snapshot. Only sources without a build simulate them. */
export async function scenarioSteps(name: ScenarioName): Promise<readonly ChangeStep[]> {
  const steps = await unshared(name)
  return steps.map((step) => (step.rows ? { ...step, rows: share(step.rows) } : step))
}

async function unshared(scenario: ScenarioName): Promise<ChangeStep[]> {
  const { packedScenarios } = await import('../../../browser/packed-scenarios.ts')
  if (packedScenarios !== undefined) {
    const unpacked = await promisify(brotliDecompress)(Buffer.from(packedScenarios, 'base64'))
    return packedSteps(unpacked, scenario)
  }
  const { createDataset } = await import('../../../../fixtures/index.ts')
  return datasetSteps(createDataset({ scenario }))
}
