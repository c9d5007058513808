import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createMock, on } from 'bioprocess-sql-contract/msw'
import { bestTiters } from './yields.js'

const service = { baseUrl: 'https://data.example.org', token: 'secret' }
const mock = createMock(service)
const server = setupServer(...mock.handlers)

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' })
  await mock.ready()
})
afterEach(() => {
  server.resetHandlers()
  mock.reset()
})
afterAll(async () => {
  server.close()
  await mock.close()
})

test('ranks the runs by titer', async () => {
  const runs = await bestTiters(service)
  expect(runs).toHaveLength(3)
  expect(runs.map(({ titer }) => titer)).toEqual(runs.map(({ titer }) => titer).sort((a, b) => b - a))
  expect(mock.requests()[0].statement).toContain('LIMIT 3')
})

test('names the remedy when a statement exceeds the time limit', async () => {
  server.use(on.timeout())
  await expect(bestTiters(service)).rejects.toThrow('Request fewer runs.')
})

test('passes on an error of the service', async () => {
  server.use(on.error('exception'))
  await expect(bestTiters(service)).rejects.toThrow('Error executing statement')
})

test('rejects a token that is not valid', async () => {
  await expect(bestTiters({ ...service, token: 'old' })).rejects.toThrow('The token is not valid')
})

test('uses the rows of the test', async () => {
  server.use(on.rows('v_timeseries', [{ name: 'Run 1', unit: 'g/L', titer: 4.2 }]))
  expect(await bestTiters(service)).toEqual([{ name: 'Run 1', unit: 'g/L', titer: 4.2 }])
})
