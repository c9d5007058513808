import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { inThisProcess, runHabits } from '../../../client/conformance/index.ts'
import { runConformance } from '../../../conformance/index.ts'
import { declareTests } from '../../../conformance/run/test-runner.ts'
import { createDataset } from '../../../fixtures/index.ts'
import { connectSession, createReference, startServer, type Server } from '../../../mock/index.ts'
import { createMock } from '../../../mock/msw/index.ts'
import { sessionFixture } from '../../../mock/node/playwright.ts'
import { send } from '../../../mock/node/request.test-helper.ts'

type Use = (options: never) => unknown

/** Runs the suite as a test runner does, up to the end of its first hook. */
const describeConformance = (options: never) =>
  new Promise<void>((resolve, reject) => {
    const before = (run: () => Promise<void>) => run().then(resolve, reject)
    declareTests(options, { describe: (_, declare) => declare(), test() {}, before, after() {} })
  })
const useFixture = async (options: never) => {
  const [fixture] = sessionFixture(options)
  await fixture({}, async () => {}, { workerIndex: 0, parallelIndex: 0 })
}
const noTests = inThisProcess(() => {})
const baseUrl = 'http://127.0.0.1:9'

/** Every function with options that a test calls, with the options that it needs. */
const entries: readonly [name: string, use: Use, needed: object, error: string][] = [
  ['createMock', createMock, {}, 'MockError'],
  ['startServer', startServer, {}, 'ServerError'],
  ['createReference', createReference, {}, 'ServerError'],
  ['sessionFixture with a server for each worker', useFixture, {}, 'ServerError'],
  ['sessionFixture with a running server', useFixture, { baseUrl, token: 'secret' }, 'ServerError'],
  ['connectSession', connectSession, { baseUrl }, 'TypeError'],
  ['createClient', createClient, { baseUrl, token: 'secret' }, 'ClientUsageError'],
  ['runConformance', runConformance, { baseUrl, token: null }, 'UsageError'],
  ['describeConformance', describeConformance, { baseUrl, allowIncomplete: true, after() {} }, 'UsageError'],
  ['runHabits', (options) => runHabits(noTests, options), { concurrency: 1 }, 'HabitUsageError'],
  ['createDataset', createDataset, {}, 'RangeError'],
]

describe.each(entries)('%s', (_, use, needed, error) => {
  const failureOf = async (options: object) => {
    try {
      return await use({ ...needed, ...options } as never)
    } catch (failure) {
      return failure
    }
  }

  test('refuses an option that does not exist, and lists those that do', async () => {
    const known = Object.keys(needed)[0] ?? 'scale'
    expect(await failureOf({ nonsense: 1 })).toMatchObject({
      name: error,
      message: expect.stringMatching(
        new RegExp(`^There is no option "nonsense"\\. The options are: .*\\b${known}\\b.*\\.$`),
      ),
    })
  })

  test.each([[['x']], [{}], [() => {}]])('refuses one whose value is no text: %j', async (nonsense) => {
    expect(await failureOf({ nonsense })).toMatchObject({
      name: error,
      message: expect.stringMatching(/^There is no option "nonsense"\. /),
    })
  })

  test('refuses a value of another type', async () => {
    const [name, type] = Object.entries(needed)[0] ?? ['scale', 0.01]
    expect(await failureOf({ [name]: [type] })).toMatchObject({
      name: error,
      message: `The option ${name} is of the type array. Give: ${typeof type}.`,
    })
  })
})

test.each([undefined, { baseUrl, token: null, baseline: {} }])(
  'the suite refuses %j with a sentence',
  async (options) => {
    await expect(runConformance(options as never)).rejects.toMatchObject({ name: 'UsageError' })
  },
)

describe('a server', () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer({ scale: 0.01, token: 'secret', port: 0 })
  })
  afterAll(() => server.close())

  test('takes one token and a port under the names that they have everywhere', async () => {
    const { port } = new URL(server.baseUrl)
    expect(server.token).toBe('secret')
    expect((await send(server, 'SELECT 1')).status).toBe(200)
    expect((await send({ ...server, token: 'other' }, 'SELECT 1')).status).toBe(401)
    await expect(startServer({ port: Number(port) })).rejects.toThrow(port)
  })

  test('can be given whole, like a session and a target, to what uses a service', async () => {
    const session = connectSession({ ...server, id: 'mine' })
    const mock = createMock({ baseUrl: server.baseUrl, token: server.token })
    const mocked = { ...mock, baseUrl: server.baseUrl, token: server.token }
    const target = { ...server, signal: new AbortController().signal }
    for (const service of [server, mocked, target, { ...session, token: server.token }])
      expect(await createClient(service).query('SELECT 1 AS n')).toEqual([{ n: 1 }])
    const report = await runConformance({ ...server, only: ['sql.limit-kept'] })
    expect(report.checks).toHaveLength(1)
    await mock.close()
  })

  test.each([
    [{ token: 'a', tokens: ['b'] }, 'Both `token` and `tokens` are given. Give one of them.'],
    [{ tokens: 'secret' as 'any' }, "`tokens` is a list, or 'any'. For one token, give `token`."],
    [{ port: 0, listen: '127.0.0.1:0' }, 'Both `listen` and `port` name a port. Give one of them.'],
    [{ port: 70_000 }, '"127.0.0.1:70000" is not an address to listen on.'],
    [{ listen: '0.0.0.0:0' }, 'Require a token'],
  ])('refuses %j', async (options, sentence) => {
    await expect(startServer(options)).rejects.toThrow(sentence)
  })
})

test('a fixture for a running server needs its token', () => {
  expect(() => sessionFixture({ baseUrl } as never)).toThrow(
    'Give a token that http://127.0.0.1:9 accepts, as `token`.',
  )
  expect(() => createClient({ baseUrl } as never)).toThrow('The token is missing')
})
