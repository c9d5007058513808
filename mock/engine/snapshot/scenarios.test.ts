import { expect, test } from 'vitest'
import { datasetOf, type Tables } from '../../../fixtures/dataset.ts'
import type { ScenarioName } from '../../../fixtures/scenarios/index.ts'
import { completeRow } from '../../../fixtures/factories/complete-row.ts'
import { datasetSteps, packedSteps, packScenarios } from './scenarios.ts'

const now = '2026-01-01T00:00:00.000000+00:00'
const point = { id: 's', timestamp: now, value: 1.5, data_item_id: null, last_updated_at: now }
const points = [point, { ...point, value: null, data_item_id: 'sample' }]

test('each packed scenario has the steps of its rows, whatever stands beside it', () => {
  const experiments = ['first', 'second\n'].map((id) => completeRow('v_experiments', { id }, now))
  const datasets = {
    empty: datasetOf({}),
    'one-run': datasetOf({ v_experiments: experiments } as Partial<Tables>),
    running: datasetOf({ v_experiments: experiments.slice(1), v_timeseries_data: points } as Partial<Tables>),
  }
  const packed = packScenarios(datasets as unknown as Parameters<typeof packScenarios>[0])
  for (const [name, dataset] of Object.entries(datasets))
    expect(packedSteps(packed, name as ScenarioName), name).toEqual(datasetSteps(dataset))
  const [before, after] = ['empty', 'running'].map((name) => packedSteps(packed, name as ScenarioName).length)
  expect(after! - before!).toBe(2)
})
