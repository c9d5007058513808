import { setupWorker } from 'msw/browser'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createClient } from 'bioprocess-sql-contract/client'
import { createMock, on } from 'bioprocess-sql-contract/msw'
import { showRuns } from './run-list.js'

const service = { baseUrl: 'https://data.example.org', token: 'secret' }
const mock = createMock(service)
const worker = setupWorker(...mock.handlers)
const client = createClient(service)
const list = document.body.appendChild(document.createElement('ul'))

beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  await mock.ready()
})
afterEach(() => {
  worker.resetHandlers()
  mock.reset()
})
afterAll(async () => {
  worker.stop()
  await mock.close()
})

test('lists the runs in progress', async () => {
  await showRuns(list, client)
  const [{ runs }] = await client.query(
    "SELECT count(*) AS runs FROM v_bioprocesses WHERE status = 'In-progress'",
  )
  expect(runs).toBeGreaterThan(0)
  await expect.element(page.getByRole('listitem')).toHaveLength(runs)
})

test('lists the same runs from a service that sends rows as arrays', async () => {
  await showRuns(list, client)
  const usual = list.textContent
  expect(usual).not.toContain('No runs')
  mock.use({ 'rows.shape': 'array' })
  await showRuns(list, client)
  expect(list.textContent).toBe(usual)
})

test('shows an error when a statement exceeds the time limit', async () => {
  worker.use(on.timeout())
  await showRuns(list, client)
  await expect.element(page.getByRole('listitem')).toHaveTextContent('No runs: The statement exceeded')
})
