/** Packs the rows of the scenarios into dist/mock/browser/packed-scenarios.js. Part of browser.ts. */
import { createDataset } from '../fixtures/index.ts'
import { type ScenarioName, scenarioNames } from '../fixtures/scenarios/index.ts'
import type { Dataset } from '../fixtures/dataset.ts'
import { packScenarios } from '../mock/engine/snapshot/scenarios.ts'
import { compress } from './compress.ts'

/** The text of the module. */
export async function packedScenarios(): Promise<string> {
  const datasets = scenarioNames.map((scenario) => [scenario, createDataset({ scenario })])
  const packed = packScenarios(Object.fromEntries(datasets) as Record<ScenarioName, Dataset>)
  return (await compress(packed)).toString('base64')
}
