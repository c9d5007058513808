import type { Meta, StoryObj } from '@storybook/react-vite'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { runRows } from 'bioprocess-sql-contract/fixtures'
import { on } from 'bioprocess-sql-contract/msw'
import { http, HttpResponse, type RequestHandler } from 'msw'
import { Dashboard } from './dashboard'
import { Service, serviceAt } from './service'
import { mock, service } from './story-mock'

export default {
  title: 'Dashboard',
  args: { token: service.token },
  render: ({ token }) => (
    <QueryClientProvider client={new QueryClient()}>
      <Service value={serviceAt(service.baseUrl, token)}>
        <Dashboard />
      </Service>
    </QueryClientProvider>
  ),
} satisfies Meta<{ token: string }>

type Story = StoryObj<{ token: string }>

const answeredBy = (handler: RequestHandler): Story => ({
  beforeEach({ msw }) {
    msw.use(handler)
  },
})

export const Plant: Story = {}

export const RunInProgress: Story = {
  async beforeEach() {
    await mock.rows.put(
      runRows({
        id: 'run-1',
        name: 'My run',
        status: 'In-progress',
        run_start_timestamp: '2025-12-31T08:00:00Z',
        series: { OD600: { 0: 0.1, 2: 0.9, 4: 4.2 } },
      }),
    )
  },
}

export const NoRuns = answeredBy(on.rows('v_bioprocesses', []))
export const TakesTooLong = answeredBy(on.timeout())
export const Busy = answeredBy(on.status(503, { retryAfterMs: 10 }))
export const CutOff = answeredBy(on.truncate())
export const Refused = answeredBy(on.error('exception'))
export const SignedOut: Story = { args: { token: 'expired' } }
export const OtherForm = answeredBy(http.post('*', () => HttpResponse.json({ rows: [] })))
