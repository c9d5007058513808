import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PlaywrightSession, sessionFixture } from './playwright.ts'
import { type Server, startServer } from './server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer({ scale: 0.01, tokens: ['secret'] })
})
afterAll(() => server.close())

const running = () => ({ baseUrl: server.baseUrl, token: 'secret' })

/** Runs a worker of Playwright as its runner does. */
const worker = (
  index: number,
  work: (session: PlaywrightSession) => Promise<void>,
  options: object = running(),
) => {
  const [fixture, { scope }] = sessionFixture(options as ReturnType<typeof running>)
  expect(scope).toBe('worker')
  return fixture({}, work, { workerIndex: index, parallelIndex: index })
}
const ask = async ({ baseUrl, token }: PlaywrightSession, statement: string) => {
  const response = await fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })
  return ((await response.json()) as { data: unknown[] }).data
}

test('two workers with opposite variants and rows do not meet, fifty times', async () => {
  const statement = "SELECT name FROM v_quantities WHERE id = 'own'"
  const work =
    (name: string, shape: 'array' | 'object', row: unknown) => async (session: PlaywrightSession) => {
      for (let n = 0; n < 50; n++) {
        await session.use({ 'rows.shape': shape })
        await session.rows.put({ v_quantities: [{ id: 'own', name: `${name} ${n}` }] })
        expect(await ask(session, statement)).toEqual([
          JSON.parse(JSON.stringify(row).replace('#', `${name} ${n}`)),
        ])
        expect(await session.requests({ statement: 'v_quantities' })).toHaveLength(1)
        await session.reset()
        expect(await ask(session, statement)).toEqual([])
        await session.forgetRequests()
      }
    }
  await Promise.all([
    worker(0, work('zero', 'array', ['#'])),
    worker(1, work('one', 'object', { name: '#' })),
  ])
  const { sessions } = (await (await fetch(`${server.baseUrl}/_mock/sessions`)).json()) as {
    sessions: unknown[]
  }
  expect(sessions).toEqual([])
})

test('a worker without a server starts one, which ends with it', async () => {
  let address = ''
  await worker(
    3,
    async (session) => {
      address = session.baseUrl
      expect(session.id).toBe('worker-3')
      expect(await ask(session, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
    },
    { scale: 0.01 },
  )
  await expect(fetch(address)).rejects.toThrow()
})

test('options that are wrong are refused when the fixture is made', () => {
  for (const options of [null, { nope: 1 }, { baseUrl: 'http://127.0.0.1:1', token: 'x', nope: 1 }])
    expect(() => sessionFixture(options as object)).toThrow(/^(The options are of|There is no option)/)
})

test('the function names its fixtures as Playwright reads them from its text', () => {
  expect(String(sessionFixture()[0])).toMatch(/^async \(\{\s*\}, use, /)
})
