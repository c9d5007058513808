// @vitest-environment node
import { type Client, createClient } from 'bioprocess-sql-contract/client'
import { describeHabits } from 'bioprocess-sql-contract/client-conformance/vitest'
import { expect, test } from 'vitest'
import { readOverlay, readRuns } from './reads'

/** What the dashboard reads, however the service answers. */
async function readsThePlant(service: Client): Promise<void> {
  const finished = (await readRuns(service)).filter(({ status }) => status === 'Completed')
  const runs = finished.slice(0, 3).map(({ id }) => id)
  const overlay = await readOverlay(service, runs, 'pH')
  expect([...overlay.series.keys()].toSorted()).toEqual(runs.toSorted())
  for (const points of overlay.series.values()) {
    expect(points.length).toBeGreaterThan(20)
    for (const [, value] of points) expect(value > 4 && value < 10, `${value} is a pH`).toBe(true)
  }
  expect(await readOverlay(service, runs, 'pH', overlay)).toEqual(overlay)
}

const { BIOPROCESS_SQL_BASE_URL: baseUrl, BIOPROCESS_SQL_TOKEN: token } = process.env
if (baseUrl && token)
  test('reads the plant of this service', () => readsThePlant(createClient({ baseUrl, token })))
else
  describeHabits({
    only: ['rows.*', 'timestamps.*', 'numbers.*', 'http.success'],
    run: (given) => readsThePlant(createClient(given)),
  })
