import { parentPort, workerData } from 'node:worker_threads'
import { followPlant } from '../../../fixtures/index.ts'
import type { Micros } from '../../../fixtures/time.ts'
import { type ChangeStep, changeSteps } from '../../engine/change.ts'
import { share } from './share.ts'
import type { GeneratorOptions } from '../../engine/generator-options.ts'

/** The messages to and from the thread. */
export interface PlantRequest {
  readonly from: Micros
  readonly to: Micros
}
export interface PlantReply {
  readonly steps: readonly ChangeStep[]
}

/** A thread that simulates a plant and computes the changes of the tables. */
const history = followPlant(workerData as GeneratorOptions)

parentPort?.on('message', ({ from, to }: PlantRequest) =>
  parentPort?.postMessage({ steps: changeSteps(history.changes(from, to), share) } satisfies PlantReply),
)
