import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { runRows } from 'bioprocess-sql-contract/fixtures'
import { createMock, on } from 'bioprocess-sql-contract/msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Dashboard } from './dashboard'
import { Service, serviceAt } from './service'

const baseUrl = 'https://data.example.org'
// a busy machine may need longer than the usual second
configure({ asyncUtilTimeout: 5000 })

const mock = createMock({ baseUrl, token: 'secret' })
const server = setupServer(...mock.handlers)
beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' })
  await mock.ready()
})
afterEach(() => {
  cleanup()
  server.resetHandlers()
  mock.reset()
})
afterAll(async () => {
  server.close()
  await mock.close()
})

const show = (token = 'secret') =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Service value={serviceAt(baseUrl, token)}>
        <Dashboard />
      </Service>
    </QueryClientProvider>,
  )

/** The number of points of the first line. */
const line = async () => (await screen.findByRole('img')).querySelector('polyline')!.dataset['points']

test('lists the runs of the plant, and why one failed', async () => {
  await mock.rows.put({
    v_bioprocesses: [{ id: 'run-1', name: 'My run', qc: { status: 'Fail', failure_mode: 'Foam-out' } }],
  })
  show()
  expect(screen.getByText('Reading the runs …')).toBeTruthy()
  expect(await screen.findByText('My run')).toBeTruthy()
  expect(screen.getAllByText('Foam-out').length).toBeGreaterThan(0)
})

test('draws chosen runs, and new points when they are asked for', async () => {
  const start = '2025-12-31T08:00:00Z'
  await mock.rows.put(
    runRows({
      id: 'run-1',
      name: 'My run',
      status: 'In-progress',
      run_start_timestamp: start,
      series: { OD600: { 0: 0.1, 2: 0.9 } },
    }),
  )
  show()
  fireEvent.click(await screen.findByLabelText('My run'))
  expect(await line()).toBe('2')
  await mock.rows.put({
    v_timeseries_data: [{ id: 'run-1/OD600', timestamp: '2025-12-31T12:00:00Z', value: 4.2 }],
  })
  fireEvent.click(screen.getByText('Read new points'))
  await mock.waitForRequest({ statement: /last_updated_at > / })
  await expect.poll(line).toBe('3')
})

test('shows every column of a run, unless rows come without names', async () => {
  await mock.rows.put({ v_bioprocesses: [{ id: 'run-1', name: 'My run', external_id: 'LIMS-7' }] })
  show()
  fireEvent.click(await screen.findByLabelText('My run'))
  expect(await screen.findByText('"LIMS-7"')).toBeTruthy()
  cleanup()
  mock.use({ 'rows.shape': 'array' })
  show()
  fireEvent.click(await screen.findByLabelText('My run'))
  expect((await screen.findByRole('alert')).textContent).toContain('an unexpected form of answer')
})

test.each([
  ['takes too long', on.timeout(), 'needed too long', 1],
  ['is busy', on.status(503, { retryAfterMs: 10 }), 'is busy', 3],
  ['is cut off', on.truncate(), 'cannot be reached', 1],
  ['refuses the statement', on.error('exception'), 'refused the question', 1],
])('says what to do when the service %s', async (_, handler, advice, times) => {
  server.use(handler)
  show()
  expect((await screen.findByRole('alert')).textContent).toContain(advice)
  expect(mock.requests()).toHaveLength(times)
  server.resetHandlers()
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText(/^\d+ runs$/)).toBeTruthy()
})

test('asks to sign in when the token is refused', async () => {
  show('expired')
  expect((await screen.findByRole('alert')).textContent).toContain('Sign in again')
})

test('shows an empty plant', async () => {
  server.use(on.rows('v_bioprocesses', []))
  show()
  expect(await screen.findByText('There are no runs yet.')).toBeTruthy()
})
