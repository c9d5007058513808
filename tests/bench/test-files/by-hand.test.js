import { cleanup, configure, render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createElement as h } from 'react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { baseUrl, Experiments } from './experiments.js'

configure({ asyncUtilTimeout: 5000 })
const url = `${baseUrl}/external/v1/statements/`
const server = setupServer(
  http.post(url, () =>
    HttpResponse.json({
      data: [{ id: 'e-1', external_id: 'My experiment' }],
      status: { state: 'success', message: '' },
    }),
  ),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  cleanup()
  server.resetHandlers()
})
afterAll(() => server.close())

test('shows an experiment', async () => {
  render(h(Experiments))
  expect(await screen.findByText('My experiment')).toBeTruthy()
})

test('shows an error', async () => {
  server.use(
    http.post(url, () =>
      HttpResponse.json({ data: [], status: { state: 'error', message: 'No access.' } }, { status: 401 }),
    ),
  )
  render(h(Experiments))
  expect((await screen.findByRole('alert')).textContent).toBe('No access.')
})
