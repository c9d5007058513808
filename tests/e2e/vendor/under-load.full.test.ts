import { afterAll, beforeAll, expect, test } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { startServer, type Server } from '../../../mock/index.ts'
import { ask } from '../support/ask.ts'

let server: Server
beforeAll(async () => {
  server = await startServer({ scale: 0.01, workers: 2 })
})
afterAll(() => server.close())

const statements = [
  'SELECT * FROM v_bioprocesses LIMIT 10',
  "SELECT * FROM v_timeseries_data WHERE last_updated_at > '2025-06-01T00:00:00Z' LIMIT 2000",
  'SELECT MAX(last_updated_at) FROM v_statistics',
  'SELECT * FROM v_bioprocesses b LEFT JOIN v_experiments e ON e.id = b.experiment_id',
]

test('the reference is conformant while four clients keep it busy', async () => {
  const done = new AbortController()
  const statuses = new Map<number, number>()
  const clients = statements.map(async (_, first) => {
    for (let n = first; !done.signal.aborted; n++) {
      const { status } = await ask(server, statements[n % statements.length]!)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  try {
    const report = await runConformance({ baseUrl: server.baseUrl, token: server.token })
    expect(report).toMatchObject({ verdict: 'conformant', reasons: [] })
  } finally {
    done.abort()
    await Promise.all(clients)
  }
  expect([...statuses.keys()]).toEqual([200])
  expect(statuses.get(200)).toBeGreaterThan(1000)
}, 240_000)
