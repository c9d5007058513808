import { setupWorker } from 'msw/browser'
import { createMock } from 'bioprocess-sql-contract/msw'

export const mock = createMock({ baseUrl: 'https://data.example.org', token: 'secret', timeLimitMs: 2000 })

/** Starts the service worker; resolves when it answers requests to the service. */
export const startMock = () =>
  setupWorker(...mock.handlers).start({ onUnhandledRequest: 'bypass', quiet: true })

// a hot update loads this module again, and with it another engine
import.meta.hot?.dispose(() => mock.close())
