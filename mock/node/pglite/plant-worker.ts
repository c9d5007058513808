import { parentPort, workerData } from 'node:worker_threads'
import { followPlant } from '../../../fixtures/index.ts'
import type { Micros } from '../../../fixtures/time.ts'
import { type ChangeStep, changeSteps } from '../../engine/change.ts'
import { share } from './share.ts'
import type { GeneratorOptions } from '../../engine/generator-options.ts'

/** What the thread is asked, and what it answers. */
export interface PlantRequest {
  readonly from: Micros
  readonly to: Micros
}
export interface PlantReply {
  readonly steps: readonly ChangeStep[]
}

/** A thread that follows a plant and says what changes in the tables. */
const history = followPlant(workerData as GeneratorOptions)

parentPort?.on('message', ({ from, to }: PlantRequest) =>
  parentPort?.postMessage({ steps: changeSteps(history.changes(from, to), share) } satisfies PlantReply),
)
