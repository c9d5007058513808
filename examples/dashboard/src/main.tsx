import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Dashboard } from './dashboard'
import { Service, serviceAt } from './service'

// ?api=http://127.0.0.1:4010&token=secret chooses a server; without it the mock runs in the page
const query = new URLSearchParams(location.search)
const baseUrl = query.get('api') ?? 'https://data.example.org'
const token = query.get('token') ?? 'secret'
if (import.meta.env.DEV && !query.has('api')) {
  const [{ createMock }, { setupWorker }] = await Promise.all([
    import('bioprocess-sql-contract/msw'),
    import('msw/browser'),
  ])
  await setupWorker(...createMock({ baseUrl, token }).handlers).start()
}

createRoot(document.querySelector('#root')!).render(
  <QueryClientProvider client={new QueryClient()}>
    <Service value={serviceAt(baseUrl, token)}>
      <Dashboard />
    </Service>
  </QueryClientProvider>,
)
