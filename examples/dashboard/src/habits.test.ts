// @vitest-environment node
import { createClient } from 'bioprocess-sql-contract/client'
import { describeHabits } from 'bioprocess-sql-contract/client-conformance/vitest'
import { expect } from 'vitest'
import { readOverlay, readRuns } from './reads'

// A test for each way in which services answer: what the dashboard reads is the same.
describeHabits({
  only: ['rows.*', 'timestamps.*', 'numbers.*', 'http.success'],
  run: async (given) => {
    const service = createClient(given)
    const finished = (await readRuns(service)).filter(({ status }) => status === 'Completed')
    const runs = finished.slice(0, 3).map(({ id }) => id)
    const overlay = await readOverlay(service, runs, 'pH')
    expect([...overlay.series.keys()].toSorted()).toEqual(runs.toSorted())
    for (const points of overlay.series.values()) {
      expect(points.length).toBeGreaterThan(20)
      for (const [, value] of points) expect(value > 4 && value < 10, `${value} is a pH`).toBe(true)
    }
    expect(await readOverlay(service, runs, 'pH', overlay)).toEqual(overlay)
  },
})
