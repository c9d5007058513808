import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import { EnginePool } from './engine-pool.ts'
import { EngineThread, type EngineImage } from './engine-thread.ts'
import type { Final, Request } from './protocol.ts'

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

/** A thread that answers a statement without rows after 150 ms. */
class SlowWorker extends IdleWorker {
  override postMessage(request: Request): void {
    super.postMessage(request)
    const page = { type: 'page', columns: [], chunks: [], isRepeatable: false, final: {} }
    if (request.type === 'run') setTimeout(() => this.emit('message', page), 150)
  }
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

test('an engine whose start throws synchronously is not started again at once', async () => {
  const { pool, log, attempts } = await openPool()
  const slow = [execute(pool), execute(pool)].map((one) => one.catch(() => {}))
  await vi.waitFor(() => expect(attempts()).toBeGreaterThan(1))
  await sleep(20)
  expect(attempts()).toBe(2)
  expect(log).toEqual(['An engine did not start: EAGAIN'])
  expect(pool.status()).toMatchObject({ busy: 1, starting: 0 })
  await pool.close()
  await Promise.all(slow)
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
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('an engine does not start if its thread ends while the image is being loaded', async () => {
  const worker = new IdleWorker()
  const slowImage = sleep(20).then(() => ({}) as EngineImage)
  const starting = EngineThread.start(slowImage, worker)
  worker.emit('error', new Error('no such option'))
  await expect(starting).rejects.toThrow('no such option')
})

/** A thread that answers short statements at once, those with `pg_sleep` never. */
class SleepingWorker extends IdleWorker {
  override postMessage(request: Request): void {
    super.postMessage(request)
    if (request.type !== 'run' || request.statement.includes('pg_sleep')) return
    const page = { type: 'page', columns: [], chunks: [], isRepeatable: true, final: {} }
    queueMicrotask(() => this.emit('message', page))
  }
}

async function openSleeping(maxWorkers: number, timeLimitMs = 60_000) {
  const pool = await EnginePool.open({
    start: () => EngineThread.start(image, new SleepingWorker()),
    timeLimitMs,
    readerLimitMs: 1_000,
    workers: 1,
    maxWorkers,
    log: () => {},
  })
  pools.push(pool)
  const ask = (statement: string, owner = 'a') => {
    const answer = pool.execute(statement, { signal: new AbortController().signal, owner })
    answer.catch(() => {})
    return answer
  }
  return { pool, ask }
}

test('slow statements leave an engine for short ones, whoever sends them', async () => {
  const { pool, ask } = await openSleeping(3)
  for (let n = 0; n < 6; n++) void ask(`SELECT pg_sleep(${n})`)
  await vi.waitFor(() => expect(pool.status()).toMatchObject({ idle: 1, busy: 2, waiting: 4 }))
  for (let n = 0; n < 20; n++) expect(await ask('SELECT 1')).toMatchObject({ chunks: [] })
  expect(pool.status().ended).toEqual({})
})

test('another engine starts when a statement is slow and another one waits', async () => {
  const { pool, ask } = await openSleeping(2)
  void ask('SELECT pg_sleep(1)')
  await sleep(300)
  expect(pool.status()).toMatchObject({ idle: 0, busy: 1, starting: 0 })
  expect(await ask('SELECT 1')).toMatchObject({ chunks: [] })
  expect(pool.status()).toMatchObject({ idle: 1, busy: 1 })
})

test('another engine starts when a statement has taken a second', async () => {
  const { pool, ask } = await openSleeping(2)
  void ask('SELECT pg_sleep(1)')
  await sleep(800)
  expect(pool.status()).toMatchObject({ idle: 0, busy: 1, starting: 0 })
  await vi.waitFor(() => expect(pool.status()).toMatchObject({ idle: 1, busy: 1 }))
})

test('a slow statement that took the last engine gives it back and waits', async () => {
  const { pool, ask } = await openSleeping(2)
  void ask('SELECT pg_sleep(1) AS a')
  await sleep(150)
  void ask('SELECT pg_sleep(1) AS b')
  await vi.waitFor(() => expect(pool.status()).toMatchObject({ idle: 1, busy: 1, waiting: 1 }))
  expect(pool.status().ended).toEqual({ 'set-back': 1 })
})

test('a statement that was slow once waits for its turn without ending an engine', async () => {
  const { pool, ask } = await openSleeping(2)
  void ask('SELECT pg_sleep(1)')
  await sleep(150)
  void ask('SELECT pg_sleep(2)')
  await sleep(150)
  expect(pool.status()).toMatchObject({ idle: 1, busy: 1, waiting: 1, ended: {} })
})

test('a statement that was slow for one owner waits for its turn if another one sends it', async () => {
  const { pool, ask } = await openSleeping(2)
  void ask('SELECT pg_sleep(1)', 'greedy')
  await sleep(150)
  void ask('SELECT pg_sleep(2)', 'modest')
  await sleep(150)
  expect(pool.status()).toMatchObject({ idle: 1, busy: 1, waiting: 1, ended: {} })
})

test('a statement that was slow for one owner does not wait for an owner for whom it was short', async () => {
  const { pool, ask } = await openSleeping(3)
  void ask("SELECT 'pg_sleep'", 'greedy')
  await sleep(150)
  await ask("SELECT 'a'", 'modest')
  void ask("SELECT 'pg_sleep'", 'greedy')
  await vi.waitFor(() => expect(pool.status()).toMatchObject({ idle: 1, busy: 2 }))
  expect(await ask("SELECT 'b'", 'modest')).toMatchObject({ chunks: [] })
  void ask("SELECT 'c'", 'third')
  expect(pool.status()).toMatchObject({ idle: 1, busy: 2, waiting: 1 })
})

test('a slow statement runs when another one has ended', async () => {
  const { pool, ask } = await openSleeping(2, 300)
  const first = ask('SELECT pg_sleep(1)').catch((error: Error) => error.name)
  await sleep(150)
  const second = ask('SELECT pg_sleep(2)').catch((error: Error) => error.name)
  expect(await first).toBe('StatementTimeout')
  expect(await second).toBe('StatementTimeout')
  expect(pool.status().ended).toMatchObject({ deadline: 2 })
})

test('a short statement runs although slow ones fill the queue', async () => {
  const { pool, ask } = await openSleeping(2)
  void ask('SELECT pg_sleep(0)')
  await sleep(150)
  for (let n = 1; n <= 600; n++) void ask(`SELECT pg_sleep(${n})`)
  await vi.waitFor(() => expect(pool.status()).toMatchObject({ idle: 1, waiting: 512 }))
  for (let n = 0; n < 20; n++) expect(await ask('SELECT 1')).toMatchObject({ chunks: [] })
})

/** A thread whose statements end one by one, in the order of their arrival, when the test says so. */
class SteppedWorker extends IdleWorker {
  readonly sent: Extract<Request, { type: 'run' }>[] = []
  #withdrawn!: Int32Array

  override postMessage(request: Request): void {
    super.postMessage(request)
    if (request.type === 'boot') this.#withdrawn = request.withdrawn!
    if (request.type === 'run') this.sent.push(request)
  }

  /** Ends the first statement, and those behind it that were taken back. */
  step(final: Final = {}): void {
    const { statement } = this.sent.shift()!
    this.emit('message', { type: 'page', columns: [statement], chunks: [], isRepeatable: true, final })
    const [after, upTo] = this.#withdrawn
    while (this.sent[0] && this.sent[0].number > after! && this.sent[0].number <= upTo!) {
      this.sent.shift()
      this.emit('message', { type: 'stopped', final: {} })
    }
  }
}

async function openStepped() {
  const workers: SteppedWorker[] = []
  const start = () => {
    workers.push(new SteppedWorker())
    return EngineThread.start(image, workers.at(-1)!)
  }
  const limits = { timeLimitMs: 60_000, readerLimitMs: 1_000, workers: 1, maxWorkers: 2 }
  const pool = await EnginePool.open({ start, ...limits, log: () => {} })
  pools.push(pool)
  const ask = async (statement: string, signal = new AbortController().signal) =>
    (await pool.execute(statement, { signal })).columns[0]
  return { pool, workers, first: workers[0]!, ask }
}

test('an engine gets up to four short statements at a time, and answers them in order', async () => {
  const { pool, first, ask } = await openStepped()
  const answers = ['a', 'b', 'c', 'd', 'e'].map((statement) => ask(statement))
  await vi.waitFor(() => expect(first.sent).toHaveLength(4))
  expect(pool.status()).toMatchObject({ idle: 0, busy: 1, waiting: 1 })
  first.step()
  await vi.waitFor(() => expect(first.sent.map(({ statement }) => statement)).toEqual(['b', 'c', 'd', 'e']))
  for (let n = 0; n < 4; n++) first.step()
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(pool.status()).toMatchObject({ idle: 1, busy: 0, waiting: 0 })
})

test('statements behind a slow one run on another engine', async () => {
  const { workers, first, ask } = await openStepped()
  const slow = ask('slow')
  const behind = [ask('a'), ask('b')]
  await vi.waitFor(() => expect(workers[1]?.sent).toHaveLength(2))
  workers[1]!.step()
  workers[1]!.step()
  expect(await Promise.all(behind)).toEqual(['a', 'b'])
  first.step()
  expect(await slow).toBe('slow')
  expect(first.sent).toEqual([])
  const next = ask('c')
  await vi.waitFor(() => expect(first.sent).toHaveLength(1))
  first.step()
  expect(await next).toBe('c')
})

test.each([
  ['poisons its engine', (worker: SteppedWorker) => worker.step({ replace: 'poison' })],
  ['crashes', (worker: SteppedWorker) => worker.emit('exit', 1)],
])('statements behind one that %s run on another engine', async (_, end) => {
  const { workers, first, ask } = await openStepped()
  const culprit = ask('culprit').catch((error: Error) => error.name)
  const behind = [ask('a'), ask('b')]
  await vi.waitFor(() => expect(first.sent).toHaveLength(3))
  end(first)
  await vi.waitFor(() => expect(workers[1]?.sent).toHaveLength(2))
  workers[1]!.step()
  workers[1]!.step()
  expect(await Promise.all(behind)).toEqual(['a', 'b'])
  await culprit
})

test('a client that leaves while its statement waits behind another one ends neither', async () => {
  const { pool, first, ask } = await openStepped()
  const client = new AbortController()
  const answers = [ask('a'), ask('left', client.signal).catch((error: Error) => error.message), ask('b')]
  await vi.waitFor(() => expect(first.sent).toHaveLength(3))
  client.abort(new Error('left'))
  expect(await answers[1]).toBe('left')
  for (let n = 0; n < 3; n++) first.step()
  expect(await Promise.all(answers)).toEqual(['a', 'left', 'b'])
  await sleep(300)
  expect(pool.status()).toMatchObject({ idle: 1, ended: {} })
})

test('of two idle engines, the one with rows of a session stays', async () => {
  vi.useFakeTimers()
  try {
    const workers: SlowWorker[] = []
    const start = () => {
      workers.push(new SlowWorker())
      return EngineThread.start(image, workers.at(-1)!)
    }
    const limits = { timeLimitMs: 20_000, readerLimitMs: 1_000, workers: 1, maxWorkers: 2 }
    const pool = await EnginePool.open({ start, ...limits, log: () => {} })
    pools.push(pool)
    const run = (overlay?: { id: string; changes: [] }) =>
      pool.execute('SELECT 1', { signal: new AbortController().signal, ...(overlay && { overlay }) })
    const ended = workers.map((worker) => vi.spyOn(worker, 'terminate'))
    const withRows = run({ id: 'a', changes: [] })
    await vi.advanceTimersByTimeAsync(200)
    await withRows
    const first = run()
    await vi.advanceTimersByTimeAsync(120)
    const second = run()
    await vi.advanceTimersByTimeAsync(200)
    await Promise.all([first, second])
    expect(pool.status().idle).toBe(2)
    await vi.advanceTimersByTimeAsync(11_000)
    expect(pool.status()).toMatchObject({ idle: 1, ended: { surplus: 1 } })
    expect(ended[0]).not.toHaveBeenCalled()
  } finally {
    vi.useRealTimers()
  }
})
