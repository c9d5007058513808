import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import { EnginePool } from './engine-pool.ts'
import { EngineThread, type EngineImage } from './engine-thread.ts'
import type { Request } from './protocol.ts'

/** A thread that boots and never answers a statement. */
class IdleWorker extends EventEmitter {
  postMessage({ type }: Request): void {
    if (type === 'boot') queueMicrotask(() => this.emit('message', { type: 'ready' }))
  }
  async terminate(): Promise<number> {
    return 0
  }
  ref(): void {}
  unref(): void {}
}

const image = Promise.resolve({} as EngineImage)
const pools: EnginePool[] = []

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

/** Opens a pool whose first engine starts; later starts throw synchronously. */
async function openPool() {
  const worker = new IdleWorker()
  const log: string[] = []
  let attempts = 0
  const start = () => {
    attempts += 1
    if (attempts === 1) return EngineThread.start(image, worker)
    // a pool that tries again forever must not hang this test
    if (attempts > 50) return new Promise<never>(() => {})
    throw new Error('EAGAIN')
  }
  const limits = { timeLimitMs: 1_000, readerLimitMs: 1_000, workers: 1, maxWorkers: 2 }
  const pool = await EnginePool.open({ start, ...limits, log: (line) => log.push(line) })
  pools.push(pool)
  return { pool, worker, log, attempts: () => attempts }
}

const execute = (pool: EnginePool) => pool.execute('SELECT 1', { signal: new AbortController().signal })

test('a spare engine whose start throws synchronously is not started again at once', async () => {
  const { pool, log, attempts } = await openPool()
  await vi.waitFor(() => expect(attempts()).toBeGreaterThan(1))
  await sleep(20)
  expect(attempts()).toBe(2)
  expect(log).toEqual(['An engine did not start: EAGAIN'])
  expect(pool.status()).toMatchObject({ idle: 1, starting: 0 })
})

test('a statement fails with the cause when no engine runs and none can be started', async () => {
  const { pool, worker, attempts } = await openPool()
  worker.emit('exit', 1)
  const started = performance.now()
  for (const _ of [1, 2]) {
    const before = attempts()
    const error = await execute(pool).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(EngineBusy)
    expect(error).toMatchObject({ cause: new Error('EAGAIN'), message: /No engine could be started/ })
    expect(attempts() - before).toBeLessThanOrEqual(2)
  }
  expect(performance.now() - started).toBeLessThan(1_000)
})
