import { expect, test } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { createDataset } from '../../../fixtures/index.ts'
import { scenarioNames } from '../../../fixtures/scenarios/index.ts'
import { views } from '../../../schemas/views.ts'
import { ask } from '../support/ask.ts'
import { startCliServer } from '../support/cli.ts'

const token = 'secret'

/** Rows in an order that does not depend on the order of their keys. */
const sorted = (rows: Iterable<object>): object[] =>
  Array.from(rows, (row) => [JSON.stringify(Object.values(row).map(String)), row] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)

test.each(scenarioNames)(
  'the command serves the rows of the scenario %s, and no check of the suite fails',
  async (scenario) => {
    const { baseUrl, stop } = await startCliServer([
      '--scenario',
      scenario,
      '--token',
      token,
      '--time-limit',
      '5s',
    ])
    try {
      const dataset = createDataset({ scenario })
      for (const { name } of views) {
        const { rows } = await ask({ baseUrl, token }, `SELECT * FROM ${name}`)
        expect(sorted(rows), name).toEqual(sorted(dataset.rows(name)))
      }
      const { checks } = await runConformance({ baseUrl, token, timeLimitMs: 5000 })
      const failed = checks.filter(({ outcome }) => ['fail', 'error'].includes(outcome))
      expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([])
      expect(checks.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(50)
    } finally {
      await stop()
    }
  },
)
