import { parentPort, workerData } from 'node:worker_threads'
import { historyFrom, type KnownRuns } from '../../../../fixtures/changes.ts'
import type { Micros } from '../../../../base/time/micros.ts'
import { type ChangeStep, changeSteps, rowChanges } from '../../../engine/views/change.ts'
import type { RowChange } from '../../../statement.ts'
import { share } from '../snapshot/share.ts'
import type { GeneratorOptions } from '../../../../fixtures/generator-options.ts'
import { keepRuns, readRuns } from './known-runs.ts'

/** The input of the thread. */
export interface PlantTask {
  readonly plant: GeneratorOptions
  /** The directory of runs that other processes simulated. */
  readonly cacheDir: string
}

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
const { plant, cacheDir } = workerData as PlantTask
const stored = readRuns(plant, cacheDir)
const known: KnownRuns = stored ?? { last: new Map(), recent: new Map() }
const history = historyFrom(plant, known)
let isKept = stored !== undefined

parentPort?.on('message', async ({ from, to, as }: PlantRequest) => {
  const changes = history.changes(from, to)
  if (!isKept) await keepRuns(plant, cacheDir, known)
  isKept = true
  const reply = { changes: as === 'steps' ? changeSteps(changes, share) : rowChanges(changes) }
  parentPort?.postMessage(reply satisfies PlantReply)
})
