import { afterAll, expect, test, vi } from 'vitest'
import { startWorker } from '../../../base/threads/start-worker.ts'
import { createSnapshot } from '../../node/pglite/index.ts'
import { loadArtifacts } from '../../node/pglite/code/artifacts.ts'
import { rowsOf } from '../../node/pglite/plant.test-helper.ts'
import { MemoryTurn, sharedTurn } from './memory-turn.ts'
import { EnginePool } from '../pool/engine-pool.ts'
import { EngineThread } from '../pool/engine-thread.ts'

const turn = sharedTurn()
const other = new MemoryTurn(turn, -1)
const pools: EnginePool[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.close())))

const large = "SELECT length(repeat('x', 200000000)) AS length"

/** Sorts some 100 MB of rows in temporary files. */
const largeFiles =
  'SELECT count(*) AS count FROM (SELECT i, repeat(md5(i::text), 30) FROM generate_series(1, 100000) i ORDER BY 2 OFFSET 1) AS r'

async function openPool(timeLimitMs: number) {
  const [snapshot, artifacts] = await Promise.all([createSnapshot({ scale: 0.01 }), loadArtifacts()])
  const image = Promise.resolve({ snapshot, artifacts, turn })
  const start = () =>
    EngineThread.start(image, startWorker('../../node/pglite/engine-worker.ts', import.meta.url, {}))
  const limits = { timeLimitMs, readerLimitMs: 60_000, workers: 1, maxWorkers: 3 }
  const pool = await EnginePool.open({ start, ...limits, log: () => {} })
  pools.push(pool)
  return pool
}

test('a statement that needs much memory waits while another engine uses much, others do not', async () => {
  const pool = await openPool(60_000)
  other.take()
  let ended = false
  const waiting = rowsOf(pool, large).finally(() => (ended = true))
  await vi.waitFor(() => expect(pool.status()).toMatchObject({ busy: 1, idle: 1 }), 30_000)
  for (let n = 0; n < 5; n++) expect(await rowsOf(pool, `SELECT ${n} AS n`)).toEqual([{ n }])
  expect(ended).toBe(false)
  other.release()
  expect(await waiting).toEqual([{ length: 200_000_000 }])
  // the engine has ended by now or soon, and has given the turn back
  expect(await rowsOf(pool, large)).toEqual([{ length: 200_000_000 }])
})

test('a statement with large temporary files waits too, and its engine goes on with the next one', async () => {
  const pool = await openPool(60_000)
  other.take()
  let ended = false
  const waiting = rowsOf(pool, largeFiles).finally(() => (ended = true))
  await vi.waitFor(() => expect(pool.status()).toMatchObject({ busy: 1, idle: 1 }), 30_000)
  for (let n = 0; n < 5; n++) expect(await rowsOf(pool, `SELECT ${n} AS n`)).toEqual([{ n }])
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(ended).toBe(false)
  other.release()
  expect(await waiting).toEqual([{ count: 99_999 }])
  other.take()
  other.release()
  expect(pool.status().ended).toEqual({})
})

test('a statement that waits for memory ends at its time limit', async () => {
  const pool = await openPool(1_000)
  other.take()
  await expect(rowsOf(pool, large)).rejects.toThrow('The statement ran longer than 1000 ms')
  other.release()
})
