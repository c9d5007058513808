import { cleanup, configure, render, screen } from '@testing-library/react'
import { createMock, on } from 'bioprocess-sql-contract/msw'
import { setupServer } from 'msw/node'
import { createElement as h } from 'react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { baseUrl, Experiments } from './experiments.js'

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

test('shows an experiment of its own', async () => {
  const started = performance.now()
  await mock.rows.put({ v_experiments: [{ id: 'e-1', external_id: 'My experiment' }] })
  console.log(`own rows: ${performance.now() - started} ms`)
  render(h(Experiments))
  expect(await screen.findByText('My experiment')).toBeTruthy()
})

test('shows an error', async () => {
  server.use(on.error('exception'))
  render(h(Experiments))
  expect((await screen.findByRole('alert')).textContent).not.toBe('')
})
