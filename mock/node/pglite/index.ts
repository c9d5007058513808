import { availableParallelism } from 'node:os'
import type { Dataset, Tables } from '../../../fixtures/dataset.ts'
import { defaultPlant } from '../../../fixtures/default-plant.ts'
import { views } from '../../../schemas/views.ts'
import { packedPlant } from '../../browser/packed-plant.ts'
import type { Artifacts } from '../../engine/snapshot/artifacts.ts'
import type { RowChange, StatementEngine } from '../../statement.ts'
import type { EngineStatus } from '../../engine/pool/engine-status.ts'
import type { ProgressListener } from '../../engine/snapshot/progress.ts'
import { startWorker } from '../../../base/threads/start-worker.ts'
import { loadArtifacts } from './artifacts.ts'
import { defaultCacheDirectory } from './snapshot/cache-directory.ts'
import { firstEngineWorker, startEngineWorker } from './engine-workers.ts'
import { EnginePool } from '../../engine/pool/engine-pool.ts'
import { EngineThread } from '../../engine/pool/engine-thread.ts'
import { PlantThread } from './live/plant-thread.ts'
import { checkSpeed, LivePlant, type LiveOptions } from './live/live-plant.ts'
import { cachedSnapshot } from './snapshot/snapshot-cache.ts'
import { type GeneratorOptions, generatorOf } from '../../../fixtures/generator-options.ts'
import { withScenario } from '../../../fixtures/scenarios/plant.ts'
import { scenarioSteps } from './snapshot/scenario-steps.ts'
import { snapshotKey } from './snapshot/snapshot-key.ts'
import type { SnapshotReply, SnapshotTask } from './snapshot/snapshot-worker.ts'
import { deferWasmOptimisation } from './wasm-tiering.ts'
import { packagedSnapshot, packagedTables, sha256 } from './snapshot/packaged-snapshot.ts'

export interface NodeEngineOptions extends Partial<GeneratorOptions> {
  /** Own rows instead of generated ones. Their snapshot is cached only if their key has a `sha256`. */
  readonly dataset?: Dataset
  /** Advances the time of the simulated plant. Default: the time is always `asOf`. */
  readonly live?: LiveOptions
  /** Limit of one statement in milliseconds. Default: 30 000, as in the contract. */
  readonly timeLimitMs?: number
  /** Longest time in milliseconds that an engine waits for its reader to take rows. Default: 60 000. */
  readonly readerLimitMs?: number
  /** Number of engines that stay; more are started while all are busy for half a second. Default: 1. */
  readonly workers?: number
  /** Highest number of engines. Default: one more than the machine has cores, or than `workers` if those are more. */
  readonly maxWorkers?: number
  /** The directory of cached snapshots. Default: node_modules/.cache/bioprocess-sql or the user's cache. */
  readonly cacheDir?: string
  /** Receives sentences: problems that the engine survives, and every day that a live plant reaches. */
  readonly log?: (message: string) => void
  /** Receives sentences while a snapshot is built, which takes seconds. */
  readonly onProgress?: ProgressListener
}

export interface NodeEngine extends StatementEngine {
  status(): EngineStatus
  /** The changes of a simulated plant between two times, microseconds since 1970. Absent for own rows. */
  readonly changes?: (from: number, to: number) => Promise<readonly RowChange[]>
  /** The time at which a simulated plant ends, or a live one starts, ISO 8601; undefined for own rows. */
  readonly asOf: string | undefined
  /** The time of a live plant for the next statement, ISO 8601; undefined if the plant is not live. */
  plantTime(): string | undefined
}

/**
 * The engine of the reference server in node: PGlite in worker threads over a snapshot of the dataset.
 *
 * @throws RangeError when the speed of `live` is not above 0 and at most 100000, or `live` is combined with own rows
 * @throws Error when an engine cannot start or fails its self-test
 */
export async function createNodeEngine(options: NodeEngineOptions = {}): Promise<NodeEngine> {
  if (options.live) checkLive(options.live, options.dataset)
  const { timeLimitMs = 30_000, readerLimitMs = 60_000, log = () => {} } = options
  const { workers = 1, maxWorkers = Math.max(workers, availableParallelism()) + 1 } = options
  deferWasmOptimisation()
  // loads its code while the image is being loaded
  const first = [firstEngineWorker()]
  const artifacts = loadArtifacts()
  const snapshot = loadSnapshot(options, artifacts, log)
  const task = { plant: plantOf(options), cacheDir: cacheDirOf(options) }
  const { scenario } = task.plant
  const steps = options.dataset || scenario === undefined ? [] : scenarioSteps(scenario)
  const image = Promise.all([artifacts, snapshot, steps]).then(([artifacts, snapshot, steps]) => ({
    artifacts,
    snapshot,
    steps,
  }))
  const live = options.live && new LivePlant(task, options.live, log)
  const start = () => EngineThread.start(image, first.pop() ?? startEngineWorker())
  const pool = await EnginePool.open({
    start: live ? async () => live.join(await start()) : start,
    timeLimitMs,
    readerLimitMs,
    workers,
    maxWorkers,
    log,
  })
  live?.start()
  const plant = options.dataset || live ? undefined : new PlantThread(task)
  return {
    ...(plant && { changes: (from: number, to: number) => plant.rowChanges(from, to) }),
    asOf: options.dataset ? undefined : plantOf(options).asOf,
    execute: (statement, options) => pool.execute(statement, options),
    status: () => pool.status(),
    plantTime: () => live?.now,
    close: async () => {
      await pool.close()
      await live?.close()
      await plant?.close()
    },
  }
}

function checkLive(live: LiveOptions, dataset: Dataset | undefined): void {
  if (dataset)
    throw new RangeError(
      'Only a simulated plant can be live; your own rows do not change. Leave out one of the two.',
    )
  checkSpeed(live)
}

const plantOf = (options: NodeEngineOptions): GeneratorOptions => ({
  ...defaultPlant,
  ...generatorOf(withScenario(options)),
})

const cacheDirOf = ({ cacheDir = defaultCacheDirectory() }: NodeEngineOptions): string => cacheDir

/** The snapshot that an engine with these options starts from, from the cache or newly built. */
export function createSnapshot(options: NodeEngineOptions): Promise<Uint8Array> {
  return loadSnapshot(options, loadArtifacts(), options.log ?? (() => {}))
}

/** Only snapshots that the package does not contain are built, and only those are cached. */
async function loadSnapshot(
  options: NodeEngineOptions,
  artifacts: Promise<Artifacts>,
  warn: (message: string) => void,
): Promise<Uint8Array> {
  const { dataset, onProgress = () => {} } = options
  const build = async (rows: SnapshotTask['rows']) => {
    const base = await packagedTables(warn)
    return buildInThread({ artifacts: await artifacts, rows, ...(base && { base }) }, onProgress)
  }
  const cached = (key: string, rows: () => SnapshotTask['rows']) =>
    cachedSnapshot({
      directory: cacheDirOf(options),
      key,
      build: () => build(rows()),
      warn,
      onProgress,
    })
  if (dataset) {
    const rows = () => ({ tables: tablesOf(dataset) })
    const { sha256 } = dataset.key
    return sha256 === undefined ? build(rows()) : cached(snapshotKey({ sha256 }), rows)
  }
  // the rows of a scenario replace those of a packaged snapshot, of which this one is unpacked sooner
  const generate = options.scenario === undefined ? plantOf(options) : packedPlant
  return (await packagedSnapshot(generate, warn)) ?? cached(snapshotKey(generate), () => ({ generate }))
}

/** Rows of one's own with a key for the cache. Fewer than a megabyte are built each time, so that they leave larger plants in the cache. */
export function withKey(dataset: Dataset): Dataset {
  const text = JSON.stringify(tablesOf(dataset))
  const { parts, part, rows } = dataset
  return text.length < 1e6 ? dataset : { key: { sha256: sha256(text) }, parts, part, rows }
}

function tablesOf(dataset: Dataset): Tables {
  return Object.fromEntries(views.map(({ name }) => [name, [...dataset.rows(name)]])) as unknown as Tables
}

function buildInThread(task: SnapshotTask, onProgress: ProgressListener): Promise<Uint8Array> {
  const worker = startWorker('./snapshot/snapshot-worker.ts', import.meta.url, {
    workerData: task,
    resourceLimits: { stackSizeMb: 16 },
  })
  return new Promise((resolve, reject) => {
    worker.on('message', (reply: SnapshotReply) => {
      if ('progress' in reply) onProgress(reply.progress)
      else {
        resolve(reply.snapshot)
        void worker.terminate()
      }
    })
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`Building the snapshot ended with exit code ${code}.`)))
  })
}
