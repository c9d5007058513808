import { setTimeout as sleep } from 'node:timers/promises'
import { Worker as Thread, type Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  EngineBusy,
  SqlError,
  StatementRefused,
  type StatementResult,
  StatementTimeout,
} from '../../statement.ts'
import { createSettings } from '../../open-points/settings.ts'
import { defaultPlant } from '../../../fixtures/default-plant.ts'
import { EnginePool } from './engine-pool.ts'
import { type EngineImage, EngineThread } from './engine-thread.ts'
import { ReaderStalled } from './stalled-readers.ts'
import { createNodeEngine, type NodeEngine, type NodeEngineOptions } from '../../node/pglite/index.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { startEngineWorker } from '../../node/pglite/engine-workers.ts'
import { packagedSnapshot } from '../../node/pglite/snapshot/packaged-snapshot.ts'
import { rowsOf } from '../../node/pglite/plant.test-helper.ts'

/** Rows of several pages, more than an engine sends before the reader takes one. */
const manyRows = 40_000
const many = `SELECT a.* FROM v_timeseries_data a, v_quantities b LIMIT ${manyRows}`

/** Opens a pool for the rest of a test. @param log takes its messages */
async function open(options: NodeEngineOptions = {}, log: string[] = []): Promise<NodeEngine> {
  const pool = await createNodeEngine({
    scale: 0.01,
    log: (message) => log.push(message),
    maxWorkers: 1,
    ...options,
  })
  pools.push(pool)
  return pool
}

const pools: Pick<NodeEngine, 'close'>[] = []
afterAll(async () => {
  for (const pool of pools) await pool.close()
})

const execute = (pool: NodeEngine, statement: string) =>
  pool.execute(statement, { signal: new AbortController().signal })

/** Reads rows with a pause after each of the first chunks. @returns the number of rows */
async function read({ chunks }: StatementResult, pauseMs = 0, pauses = 5): Promise<number> {
  let json = ''
  for await (const chunk of chunks) {
    json += new TextDecoder().decode(chunk)
    if (pauses-- > 0) await sleep(pauseMs)
  }
  return (JSON.parse(`[${json}]`) as unknown[]).length
}

/** Longer than a busy machine takes to start an engine, in milliseconds. */
const patienceMs = 20_000

const failureOf = (promise: Promise<unknown>) => promise.then(String, (error: unknown) => error)

describe('a thread that is terminated from outside', () => {
  const workers: Worker[] = []
  const remember = (worker: Worker) => workers.push(worker)
  beforeAll(() => void process.on('worker', remember))
  afterAll(() => void process.off('worker', remember))
  beforeEach(() => void workers.splice(0))

  const endThreads = () => Promise.all(workers.map((worker) => worker.terminate()))

  test('fails no statement while it is idle', async () => {
    const log: string[] = []
    const pool = await open({}, log)
    await endThreads()
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(log).toEqual([
      "An engine ended unexpectedly and is replaced. The engine's thread ended: exit code 1.",
    ])
    expect(pool.status()).toMatchObject({ ended: { crash: 1 }, waiting: 0 })
  })

  test('fails only the statement that it runs', async () => {
    const log: string[] = []
    const pool = await open({}, log)
    const running = failureOf(rowsOf(pool, 'SELECT pg_sleep(60)'))
    const next = rowsOf(pool, 'SELECT 1 AS one')
    await sleep(100)
    await endThreads()
    expect(await running).toBeInstanceOf(SqlError)
    expect(await next).toEqual([{ one: 1 }])
    expect(log).toHaveLength(1)
  })
})

// Each has a pool of its own, and most of them wait.
describe.concurrent('an engine', () => {
  test('is replaced after a statement that made its memory grow too much', async () => {
    const log: string[] = []
    const pool = await open({}, log)
    const large = Array.from({ length: 8 }, (_, n) => `repeat('${n}', 90000000)`).join(', ')
    await rowsOf(pool, `SELECT cardinality(ARRAY[${large}])`).catch(() => {})
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(pool.status().ended).toEqual({ memory: 1 })
    expect(log).toEqual(['An engine is replaced because it used too much memory.'])
  })

  test('delivers the result of a statement that made its memory grow, and is replaced then', async () => {
    const pool = await open()
    const large = "SELECT length(repeat('x', 200000000)) AS length"
    for (const times of [1, 2]) {
      expect(await rowsOf(pool, large)).toEqual([{ length: 200_000_000 }])
      expect(pool.status().ended).toEqual({ memory: times })
    }
  })

  test('delivers a large row, for which its memory was filled, and is replaced then', async () => {
    const pool = await open()
    expect(await rowsOf(pool, "SELECT repeat('x', 9000000) AS text")).toEqual([
      { text: 'x'.repeat(9_000_000) },
    ])
    expect(pool.status().ended).toEqual({ memory: 1 })
    expect(await rowsOf(pool, "SELECT repeat('x', 7000000) AS text")).toHaveLength(1)
    expect(pool.status().ended).toEqual({ memory: 1 })
  })

  test('says that a statement needs too much memory, and serves others', async () => {
    const pool = await open()
    const error = await failureOf(rowsOf(pool, "SELECT length(decode(repeat('00', 250000000), 'hex'))"))
    expect(error).toMatchObject({ sqlState: '53200', message: /too much memory\. Let it read less data/ })
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('is replaced after a statement that exhausted the memory of its parser', async () => {
    const pool = await open()
    // a setting that reads the syntax loads the parser
    const settings = createSettings({ 'sql.filters': 'refused' })
    const error = await failureOf(rowsOf(pool, `SELECT 1${'+1'.repeat(400_000)}`, { settings }))
    expect(error).toEqual(new StatementRefused('other', 'The statement is nested too deeply.', '54001'))
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(pool.status().ended).toEqual({ memory: 1 })
  })

  test('may run a statement past its limit for at most the same time again', async () => {
    const pool = await open({ maxWorkers: 3, timeLimitMs: 500 })
    const overrun = (seconds: number) =>
      failureOf(rowsOf(pool, `SELECT pg_sleep(${seconds})`, { runsOn: true }))
    expect(await overrun(0.8)).toBeInstanceOf(StatementTimeout)
    expect(pool.status()).toMatchObject({ busy: 1, ended: {} })
    await vi.waitFor(() => expect(pool.status()).toMatchObject({ busy: 0 }), patienceMs)
    expect(pool.status().ended).toEqual({})
    expect(await overrun(60)).toBeInstanceOf(StatementTimeout)
    await vi.waitFor(() => expect(pool.status().ended).toEqual({ deadline: 1 }), patienceMs)
  })

  test('ends a statement earlier or later with limitShiftMs', async () => {
    const pool = await open({ timeLimitMs: 60_000 })
    const shifted = rowsOf(pool, 'SELECT pg_sleep(60)', { limitShiftMs: -59_500 })
    expect(await failureOf(shifted)).toBeInstanceOf(StatementTimeout)
    const short = await open({ timeLimitMs: 500 })
    expect(await rowsOf(short, 'SELECT 1 AS one FROM pg_sleep(1)', { limitShiftMs: 20_000 })).toEqual([
      { one: 1 },
    ])
  })

  test('is added to the pool while others are stuck', async () => {
    const pool = await open({ maxWorkers: 3, timeLimitMs: 8_000 })
    const stuck = [1, 2].map(() => failureOf(rowsOf(pool, 'SELECT pg_sleep(60)')))
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(pool.status()).toMatchObject({ busy: 2 })
    for (const error of await Promise.all(stuck)) expect(error).toBeInstanceOf(StatementTimeout)
    await vi.waitFor(() => expect(pool.status().ended).toEqual({ deadline: 2 }), patienceMs)
  })

  test('is not added to the pool for small statements of many clients', async () => {
    const pool = await open({ maxWorkers: 3 })
    const client = async () => {
      for (let n = 0; n < 100; n++) await rowsOf(pool, `SELECT ${n} AS n`)
    }
    await Promise.all(Array.from({ length: 10 }, client))
    expect(pool.status()).toMatchObject({ idle: 1, busy: 0, starting: 0 })
  })

  test('is ready before one ends at its deadline', async () => {
    const pool = await open({ maxWorkers: 2, timeLimitMs: 2_000 })
    expect(await failureOf(rowsOf(pool, 'SELECT pg_sleep(60)'))).toBeInstanceOf(StatementTimeout)
    const replaced = { idle: 1, ended: { deadline: 1 } }
    await vi.waitFor(() => expect(pool.status()).toMatchObject(replaced), patienceMs)
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('serves on if its statement ends before another engine is ready', async () => {
    const pool = await open({ maxWorkers: 2, timeLimitMs: 200 })
    expect(await failureOf(rowsOf(pool, 'SELECT pg_sleep(0.25)'))).toBeInstanceOf(StatementTimeout)
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(pool.status().ended).toEqual({})
  })

  test('is ready before the one of a client that left ends', async () => {
    const pool = await open({ maxWorkers: 2 })
    const client = new AbortController()
    const gone = failureOf(rowsOf(pool, 'SELECT pg_sleep(60)', { signal: client.signal }))
    await vi.waitFor(() => expect(pool.status()).toMatchObject({ idle: 1, busy: 1 }), patienceMs)
    client.abort(new Error('gone'))
    expect(await gone).toEqual(new Error('gone'))
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await vi.waitFor(() => expect(pool.status().ended).toEqual({ 'client-left': 1 }), patienceMs)
  })

  test('with rows of a session stays, of two that are idle', async () => {
    const pool = await open({ maxWorkers: 2 })
    const overlay = { id: 'a', changes: [{ view: 'v_quantities', put: [], remove: [{ id: 'x' }] }] } as const
    const slow = rowsOf(pool, 'SELECT pg_sleep(8)')
    await vi.waitFor(() => expect(pool.status()).toMatchObject({ idle: 1, busy: 1 }), patienceMs)
    await rowsOf(pool, 'SELECT 1 AS one', { overlay })
    await slow
    await vi.waitFor(() => expect(pool.status().ended).toEqual({ surplus: 1 }), 40_000)
    // the engine has the rows already
    expect(await rowsOf(pool, 'SELECT count(*)::int AS n FROM v_quantities', { overlay })).toHaveLength(1)
  })
})

describe.concurrent('owners', () => {
  test('who have nothing take an engine from one who sleeps on all, whose statement runs later', async () => {
    const pool = await open({ maxWorkers: 2 })
    const long = 'SELECT 1 AS late FROM pg_sleep(8)'
    const greedy = [1, 2].map(() => rowsOf(pool, long, { owner: 'greedy' }))
    await vi.waitFor(() => expect(pool.status()).toMatchObject({ busy: 2, waiting: 0 }), patienceMs)
    expect(await rowsOf(pool, 'SELECT 1 AS one', { owner: 'modest' })).toEqual([{ one: 1 }])
    expect(pool.status().ended).toEqual({ 'set-back': 1 })
    for (let n = 0; n < 20; n++) await rowsOf(pool, `SELECT ${n}`, { owner: 'modest' })
    expect(pool.status()).toMatchObject({ busy: 1, waiting: 1, ended: { 'set-back': 1 } })
    expect(await Promise.all(greedy)).toEqual([[{ late: 1 }], [{ late: 1 }]])
  })
})

describe.concurrent('the queue', () => {
  test('refuses a statement that waited for its own time limit', async () => {
    const pool = await open({ timeLimitMs: 1_000 })
    const stuck = failureOf(rowsOf(pool, 'SELECT pg_sleep(60)'))
    expect(await failureOf(rowsOf(pool, 'SELECT 1', { limitShiftMs: -500 }))).toBeInstanceOf(EngineBusy)
    expect(await stuck).toBeInstanceOf(StatementTimeout)
  })

  test('takes 512 statements and refuses further ones at once', async () => {
    const pool = await open()
    const slow = rowsOf(pool, 'SELECT 1 AS one FROM pg_sleep(1)')
    const queued = Array.from({ length: 520 }, (_, n) => failureOf(rowsOf(pool, `SELECT ${n}`)))
    await sleep(0)
    expect(pool.status()).toMatchObject({ busy: 1, waiting: 512 })
    const answers = await Promise.all(queued)
    expect(answers.filter((answer) => answer instanceof EngineBusy)).toHaveLength(8)
    expect(answers.filter((answer) => typeof answer === 'string')).toHaveLength(512)
    expect(await slow).toEqual([{ one: 1 }])
  })

  test('drops only the statement of a client that disconnects', async () => {
    const pool = await open()
    const slow = rowsOf(pool, 'SELECT 1 AS one FROM pg_sleep(1)')
    const ahead = [1, 2, 3].map(() => rowsOf(pool, 'SELECT 1 AS one'))
    const client = new AbortController()
    const gone = failureOf(rowsOf(pool, 'SELECT 1', { signal: client.signal }))
    const patient = rowsOf(pool, 'SELECT 2 AS two')
    await sleep(0)
    client.abort(new Error('gone'))
    expect(pool.status().waiting).toBe(4)
    expect(await gone).toEqual(new Error('gone'))
    expect(await patient).toEqual([{ two: 2 }])
    expect(await Promise.all(ahead)).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]])
    expect(await slow).toEqual([{ one: 1 }])
  })
})

describe.concurrent('a reader', () => {
  test('may take longer than the limit of its statement', async () => {
    const pool = await open({ timeLimitMs: 3_000 })
    expect(await read(await execute(pool, many), 800)).toBe(manyRows)
    expect(pool.status().ended).toEqual({})
  })

  test('does not extend the limit of a statement that works between its pages', async () => {
    const pool = await open({ timeLimitMs: 3_000 })
    const late = 'SELECT pg_sleep(CASE WHEN i < 1000 THEN 0 ELSE 60 END), i FROM generate_series(1, 9000) i'
    const result = await execute(pool, late)
    expect(await failureOf(read(result))).toBeInstanceOf(StatementTimeout)
  })

  test('that takes nothing loses its rows, and the engine is kept', async () => {
    const pool = await open({ readerLimitMs: 300 })
    const result = await execute(pool, many)
    await vi.waitFor(() => expect(pool.status().idle).toBe(1), { timeout: 10_000 })
    expect(await failureOf(read(result))).toBeInstanceOf(ReaderStalled)
    expect(pool.status().ended).toEqual({})
  })

  test('that stalls loses its engine to a waiting statement', async () => {
    const pool = await open()
    const result = await execute(pool, many)
    expect(await rowsOf(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await failureOf(read(result))).toBeInstanceOf(ReaderStalled)
    const another = await execute(pool, many)
    await sleep(4_000)
    expect(await rowsOf(pool, 'SELECT 2 AS two')).toEqual([{ two: 2 }])
    expect(await failureOf(read(another))).toBeInstanceOf(ReaderStalled)
  })
})

/** A pool whose first engine starts; later starts throw. */
async function openOnce() {
  const image = Promise.all([loadArtifacts(), packagedSnapshot(defaultPlant, () => {})]).then(
    ([artifacts, snapshot]) => ({ artifacts, snapshot: snapshot! }),
  )
  const log: string[] = []
  let attempts = 0
  const workers: Worker[] = []
  const start = () => {
    attempts += 1
    if (attempts > 1) throw new Error('EAGAIN')
    workers.push(startEngineWorker())
    return EngineThread.start(image, workers[0]!)
  }
  const limits = { timeLimitMs: 1_500, readerLimitMs: 1_000, workers: 1, maxWorkers: 2 }
  const pool = await EnginePool.open({ start, ...limits, log: (line) => log.push(line) })
  pools.push(pool)
  const ask = (statement: string) => pool.execute(statement, { signal: new AbortController().signal })
  return { pool, worker: workers[0]!, log, ask, attempts: () => attempts }
}

test('an engine that does not start is not started again at once', async () => {
  const { pool, log, ask, attempts } = await openOnce()
  const asleep = failureOf(ask('SELECT pg_sleep(1)'))
  await vi.waitFor(() => expect(attempts()).toBe(2), patienceMs)
  await sleep(50)
  expect(attempts()).toBe(2)
  expect(log).toEqual(['An engine did not start: EAGAIN'])
  expect(pool.status()).toMatchObject({ busy: 1, starting: 0 })
  await asleep
})

test('a statement fails with the cause if no engine runs and none can be started', async () => {
  const { worker, ask } = await openOnce()
  await worker.terminate()
  for (const _ of [1, 2])
    expect(await failureOf(ask('SELECT 1'))).toMatchObject({
      name: 'EngineBusy',
      cause: new Error('EAGAIN'),
      message: /No engine could be started/,
    })
})

test('an engine does not start if its thread ends while the image is being loaded', async () => {
  const worker = new Thread('throw new Error("no such option")', { eval: true })
  const image = sleep(500).then(() => ({}) as EngineImage)
  await expect(EngineThread.start(image, worker)).rejects.toThrow('no such option')
})
