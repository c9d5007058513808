import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { validators } from '../../schemas/index.ts'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { Pace } from '../connection/http/pace.ts'
import { runAt, runConformance } from './conformance.ts'

test('a run that fails internally returns a report with the finished checks and the error', async () => {
  let finished = 0
  const report = await runConformance({
    baseUrl: 'http://vendor.example',
    token: null,
    concurrency: 1,
    fetch: async () => rowsReply([{ id: 'a' }]),
    onResult: () => {
      if (++finished === 3) throw new TypeError('Invalid string length')
    },
  })
  expect(report.verdict).toBe('suite-error')
  expect(report.reasons[0]).toBe(
    'The suite failed after 3 checks, which is a bug of the suite: Invalid string length',
  )
  expect(report.checks).toHaveLength(3)
  expect(validators.report(JSON.parse(JSON.stringify(report)))).toBe(true)
})

test('a run without a token is refused, because a secret may be missing; null says that none is needed', async () => {
  const options = { baseUrl: 'http://vendor.example', token: undefined as unknown as null }
  await expect(runConformance(options)).rejects.toThrow('token is undefined. Give a bearer token, or null')
})

test('a run sends nothing after its report, and reports no check that it left behind', async () => {
  let [requests, finished] = [0, 0]
  await runConformance({
    baseUrl: 'http://vendor.example',
    token: null,
    timeLimitMs: 1000,
    // other statements are served during a sleep, so that the checks of the time limit run beside the others
    fetch: async (_, init) => {
      requests++
      if (/sleep/i.test(init!.body as string)) await setTimeout(600)
      return rowsReply([{ id: 'a' }])
    },
    onResult: () => {
      if (++finished === 3) throw new TypeError('Invalid string length')
    },
  })
  const atReport = [requests, finished]
  await setTimeout(1500)
  expect([requests, finished]).toEqual(atReport)
})

test('a target that stops answering is reported with its last answered statement', async () => {
  let requests = 0
  const report = await runAt(new Pace(Infinity, 1), {
    baseUrl: 'http://vendor.example',
    token: null,
    skip: ['time.*'],
    fetch: async () => {
      if (++requests > 20) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
      return rowsReply([{ id: 'a' }])
    },
  })
  expect(report.reasons.join()).toMatch(
    /stopped answering during the run: its last reply of 20 came at 20.*Z, to `.+`\. vendor\.example no longer accepts connections\./,
  )
})

const gone = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) })

test('a target that dies of a statement is reported with the statements that it had received, the first one first', async () => {
  let isDead = false
  const target = handmade({})
  const alive = target.client.options.fetch
  const report = await runAt(new Pace(Infinity, 0), {
    baseUrl: 'http://vendor.example',
    token: null,
    skip: ['time.*'],
    fetch: async (input, init) => {
      if (isDead) throw gone('ECONNREFUSED')
      if (!/v_experiments/.test(String(init?.body))) return alive(input, init)
      isDead = true
      throw gone('ECONNRESET')
    },
  })
  expect(report.reasons.join()).toMatch(/It never answered `SELECT [^`]*v_experiments[^`]*`/)
})

test('a run ends the fetch of a token that it has started', async () => {
  const signals: AbortSignal[] = []
  await runConformance({
    baseUrl: 'http://vendor.example',
    token: 'old',
    fetch: async () => new Response('', { status: 401 }),
    renewToken: (signal) => {
      signals.push(signal)
      return new Promise(() => {})
    },
    maxDurationMs: 100,
  })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('a run leaves no timer behind that keeps the process alive', async () => {
  const before = timers()
  const slow: (() => void)[] = []
  await runConformance({
    baseUrl: 'http://vendor.example',
    token: null,
    only: ['time.*'],
    maxStatements: 8,
    fetch: async (_, init) => {
      const body = init!.body as string
      if (!/sleep\((?!0\))/.test(body)) return rowsReply([{ id: 'a' }])
      return new Promise((resolve, reject) => {
        slow.push(() => resolve(rowsReply([])))
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error))
      })
    },
    maxDurationMs: 500,
  })
  expect(slow.length).toBeGreaterThan(0)
  // those of the runner end soon; a quarter of the time limit has 7.5 s
  for (let n = 0; n < 20 && timers() > before; n++) await setTimeout(100)
  expect(timers()).toBeLessThanOrEqual(before)
})
