import { parentPort, workerData } from 'node:worker_threads'
import { followPlant } from '../../../../fixtures/index.ts'
import type { Micros } from '../../../../base/time/micros.ts'
import { type ChangeStep, changeSteps, rowChanges } from '../../../engine/views/change.ts'
import type { RowChange } from '../../../statement.ts'
import { share } from '../snapshot/share.ts'
import type { GeneratorOptions } from '../../../../fixtures/generator-options.ts'

/** The messages to and from the thread. */
export interface PlantRequest {
  readonly from: Micros
  readonly to: Micros
  /** The form of the changes: for the tables, or for an overlay. */
  readonly as: 'steps' | 'rows'
}
export interface PlantReply {
  readonly changes: readonly ChangeStep[] | readonly RowChange[]
}

/** A thread that simulates a plant and computes the changes of the tables. */
const history = followPlant(workerData as GeneratorOptions)

parentPort?.on('message', ({ from, to, as }: PlantRequest) => {
  const changes = history.changes(from, to)
  const reply = { changes: as === 'steps' ? changeSteps(changes, share) : rowChanges(changes) }
  parentPort?.postMessage(reply satisfies PlantReply)
})
