/** The process of prepareLater: prepares the cache directory that is its argument. */
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultPlant } from '../../../fixtures/default-plant.ts'
import { makeFolder } from '../../../base/files/make-folder.ts'
import { EnginePool } from '../../engine/pool/engine-pool.ts'
import { EngineThread } from '../../engine/pool/engine-thread.ts'
import { databaseFile, loadArtifacts, parserFile } from './code/artifacts.ts'
import { startEngineWorker } from './engine-workers.ts'
import { createSnapshot } from './index.ts'
import { takeLock } from './snapshot/lock.ts'
import { canStoreCode } from './code/native-code.ts'
import { keepUnpacked } from './snapshot/packaged-snapshot.ts'
import { storeCode } from './code/stored-code.ts'
import { usualStatements } from './usual-statements.ts'
import { deferWasmOptimisation, optimiseForStorage } from './code/wasm-tiering.ts'

/** Lets V8 optimise what statements of the usual kinds execute. */
const rounds = 150

/** V8 optimises in threads of its own, and longest one function for a second. In milliseconds. */
const settleMs = 2_000

async function prepare(cacheDir: string): Promise<void> {
  await keepUnpacked(cacheDir)
  if (!canStoreCode) return
  optimiseForStorage()
  const artifacts = await loadArtifacts()
  const snapshot = await createSnapshot({ ...defaultPlant, cacheDir })
  const pool = await EnginePool.open({
    start: () => EngineThread.start(Promise.resolve({ artifacts, snapshot }), startEngineWorker()),
    timeLimitMs: 30_000,
    readerLimitMs: 30_000,
    workers: 1,
    maxWorkers: 1,
    log: () => {},
  })
  const { signal } = new AbortController()
  for (let round = 0; round < rounds; round++)
    for (const statement of usualStatements(round)) {
      const { chunks } = await pool.execute(statement, { signal })
      for await (const _ of chunks);
    }
  await sleep(settleMs)
  // V8 takes the code only in processes with the same flags
  deferWasmOptimisation()
  await storeCode(databaseFile, artifacts.database, cacheDir)
  await storeCode(parserFile, artifacts.parser, cacheDir)
}

setPriority(19)
process.once('disconnect', () => process.exit())
const cacheDir = process.argv.at(-1)!
makeFolder(cacheDir)
const lock = await takeLock(join(cacheDir, 'prepare.lock'))
if (lock) await prepare(cacheDir).finally(() => lock.release())
process.exit()
